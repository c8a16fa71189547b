/** What a person does in the open chat. Each action is sent to the worker; what went wrong stands in `failure`. */
import type {
  AgentApi,
  CommandReply,
  ContinueMode,
  PathText,
  PermissionRequest,
  ReadRange,
  Status,
} from '../../core/agent/api/api.ts'
import type {
  SessionChoice,
  CompactOptions,
  HappenedAct,
  Preview,
  PreviewOptions,
  PutBackPreview,
  ViewedMessage,
} from '../../core/agent/api/context-api.ts'
import type { Timeline, TimelineMessage } from '../../core/agent/api/timeline.ts'
import { codeOf, type Code } from '../../core/errors.ts'
import type { Attachment, Id, SessionId } from '../../core/log/entry.ts'
import type { ToolCall } from '../../core/log/message.ts'
import type { QueuedMessage } from '../../core/ports/ports.ts'

export type SessionFailure = { code: Code; message: string; data?: Readonly<Record<string, unknown>> }

/** Verbs answer true when it was done. What the open chat shows is the subclass's: it hears what came of them. */
export class SessionActions {
  readonly id: SessionId
  protected readonly api: AgentApi
  readonly #onReply: (reply: CommandReply) => void

  status = $state.raw<Status>({ state: 'idle' })
  failure = $state.raw<SessionFailure | null>(null)
  /** How often the person said something here: who speaks wants to see the answer. */
  sentCount = $state(0)
  /** The queued message that was removed last. */
  removedQueued = $state.raw<QueuedMessage | null>(null)
  /** Something runs that Stop would stop. */
  readonly busy: boolean = $derived(!['idle', 'waiting', 'interrupted'].includes(this.status.state))
  readonly permissionRequest: PermissionRequest | null = $derived(
    this.status.state === 'asking' ? this.status.question : null,
  )

  /** `onReply` hears of a command that opens a chat or saves an export. */
  constructor(api: AgentApi, id: SessionId, onReply: (reply: CommandReply) => void) {
    this.api = api
    this.id = id
    this.#onReply = onReply
  }

  send(text: string, attachments?: Attachment[]): Promise<boolean> {
    this.sentCount += 1
    this.removedQueued = null
    return this.#begin(() => this.api.send(this.id, text, attachments))
  }
  /** Sent when the answer is done. Where nothing is being answered, what waits already goes first, at once. */
  async enqueue(text: string, attachments?: Attachment[]): Promise<boolean> {
    const isKept = await this.#do(() => this.api.enqueue(this.id, text, attachments))
    if (isKept && !this.busy) await this.sendQueued()
    return isKept
  }
  /** The first, or the one that is named. */
  sendQueued(queued?: Id): Promise<boolean> {
    this.sentCount += 1
    return this.#begin(() =>
      queued === undefined ? this.api.sendQueued(this.id) : this.api.sendQueued(this.id, queued),
    )
  }
  /** The whole of a message that waited; undefined where it could not be had back. */
  async withdrawQueued(queued: Id): Promise<QueuedMessage | undefined> {
    let taken: QueuedMessage | undefined
    await this.#do(async () => {
      taken = await this.api.withdrawQueued(this.id, queued)
    })
    return taken
  }
  /** Takes it out of what waits; it can be put back until another one is removed or the chat is left. */
  async removeQueued(queued: Id): Promise<void> {
    const taken = await this.withdrawQueued(queued)
    if (taken !== undefined) this.removedQueued = taken
  }
  /** What was removed last waits again, behind the others; nothing is sent by that. */
  async putBackQueued(): Promise<void> {
    const taken = this.removedQueued
    if (taken === null) return
    this.removedQueued = null
    const isBack = await this.#do(() => this.api.enqueue(this.id, taken.text, taken.attachments))
    if (!isBack) this.removedQueued = taken
  }
  /** Ends the answer that is being written, and sends this one; the others go on waiting. */
  async sendQueuedNow(queued: Id): Promise<void> {
    if (!this.busy || (await this.stop())) await this.sendQueued(queued)
  }
  stop(): Promise<boolean> {
    return this.#do(() => this.api.stop(this.id))
  }
  resume(how?: ContinueMode): Promise<boolean> {
    return this.#begin(() => (how === undefined ? this.api.resume(this.id) : this.api.resume(this.id, how)))
  }
  regenerate(entry: Id): Promise<boolean> {
    return this.#begin(() => this.api.regenerate(this.id, entry))
  }
  editMessage(entry: Id, text: string): Promise<boolean> {
    return this.#begin(() => this.api.editMessage(this.id, entry, text))
  }
  switchVersion(entry: Id): Promise<boolean> {
    return this.#do(() => this.api.switchLeaf(this.id, entry))
  }
  deleteMessage(entry: Id): Promise<boolean> {
    return this.#do(() => this.api.deleteMessage(this.id, entry))
  }
  resolvePermission(call: ToolCall, resolvePermission: Parameters<AgentApi['resolvePermission']>[2]): Promise<boolean> {
    return this.#do(() => this.api.resolvePermission(this.id, call, resolvePermission))
  }
  /** Without `keep` as `/compact` does it: only the last step stays. */
  compact(how?: CompactOptions): Promise<boolean> {
    return this.#do(() => this.api.compact(this.id, how))
  }
  undo(group?: Id): Promise<boolean> {
    return this.#do(() => this.api.undo(this.id, group))
  }
  /** Puts back the newest part of what left with this group, as far as it fits. */
  putBackPart(group: Id): Promise<boolean> {
    return this.#do(() => this.api.putBackPart(this.id, group))
  }
  redo(): Promise<boolean> {
    return this.#do(() => this.api.redo(this.id))
  }
  skipIdleTrim(): Promise<boolean> {
    return this.#do(() => this.api.skipIdleTrim(this.id))
  }
  pin(entry: Id, on: boolean): Promise<boolean> {
    return this.#do(() => this.api.pin(this.id, entry, on))
  }
  editSummary(entry: Id, text: string): Promise<boolean> {
    return this.#do(() => this.api.editSummary(this.id, entry, text))
  }
  choose(choice: SessionChoice): Promise<boolean> {
    return this.#do(() => this.api.choose(this.id, choice))
  }
  rename(title: string): Promise<boolean> {
    return this.#do(() => this.api.rename(this.id, title))
  }

  /** Runs a line that begins with "/"; undefined when it failed. What the page must do goes to `onReply`. */
  async command(line: string): Promise<CommandReply | undefined> {
    this.sentCount += 1
    let reply: CommandReply | undefined
    await this.#do(async () => {
      reply = await this.api.command(this.id, line)
    })
    if (reply !== undefined && reply.error === undefined) this.#onReply(reply)
    return reply
  }

  // reading: these throw AgentError

  preview(how?: PreviewOptions): Promise<Preview> {
    return this.api.preview(this.id, how)
  }
  previewPutBack(group: Id): Promise<PutBackPreview> {
    return this.api.previewPutBack(this.id, group)
  }
  happened(): Promise<HappenedAct[]> {
    return this.api.happened(this.id)
  }
  view(): Promise<ViewedMessage[]> {
    return this.api.view(this.id)
  }
  timeline(keep?: number): Promise<Timeline> {
    return keep === undefined ? this.api.timeline(this.id) : this.api.timeline(this.id, keep)
  }
  timelineMessage(at: number): Promise<TimelineMessage> {
    return this.api.timelineMessage(this.id, at)
  }
  readPath(path: string, range?: ReadRange): Promise<PathText> {
    return this.api.readPath(path, range)
  }

  dismissFailure(): void {
    this.failure = null
  }

  /** Says what went wrong; a stop is no failure. */
  protected fail(error: unknown): void {
    const code = codeOf(error)
    if (code !== 'stopped') this.failure = { code, message: error instanceof Error ? error.message : String(error) }
  }

  /** Starts an answer. The status changes at once, even if the worker needs a while to confirm it. */
  async #begin(task: () => Promise<void>): Promise<boolean> {
    const before = this.status
    const begun: Status = { state: 'thinking' }
    this.status = begun
    const done = await this.#do(task)
    if (!done && this.status === begun) this.status = before
    return done
  }

  async #do(task: () => Promise<void>): Promise<boolean> {
    this.failure = null
    try {
      await task()
      return true
    } catch (error) {
      this.fail(error)
      return false
    }
  }
}
