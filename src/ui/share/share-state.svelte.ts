/** UI state of sharing a chat: what goes out, what was found in it, what stays in all the same, and the file. */
import { SvelteSet } from 'svelte/reactivity'
import type { AgentApi } from '../../core/agent/api/api.ts'
import type {
  KeptFindings,
  MessageRange,
  ShareChoice,
  ShareFinding,
  ShareReview,
} from '../../core/agent/api/share-api.ts'
import type { Code } from '../../core/errors.ts'
import type { Id, SessionId } from '../../core/log/entry.ts'
import { dayOf } from '../../core/text/day.ts'
import type { SecretKind } from '../../core/text/redaction/secret-kinds.ts'
import { fileName, saveFile, type FileType, type Sink } from '../files/save-file.ts'
import { failureOf } from '../state/library.svelte.ts'
import { pauses } from './pauses.ts'
import { sharedFile, type ShareFormat } from './shared-file.ts'
import { shareWords } from './share-words.ts'

export const fileTypes: Record<ShareFormat, FileType> = {
  html: { description: 'HTML', mime: 'text/html', ending: '.html' },
  markdown: { description: 'Markdown', mime: 'text/markdown', ending: '.md' },
}

/** `ready`: the file is made, and the system wants a click for it. */
export type ShareStep =
  | { is: 'looking' | 'choosing' | 'sent' | 'ready' }
  | { is: 'writing'; messages: number }
  | { is: 'saved'; bytes: number }
  | { is: 'failed'; code: Code; message: string }

export class ShareState {
  readonly #api: AgentApi
  readonly #session: SessionId
  readonly #title: string
  isPart = $state(false)
  tools = $state<ShareChoice['tools']>('names')
  attachedTexts = $state(false)
  format = $state<ShareFormat>('html')
  review = $state.raw<ShareReview | undefined>()
  step = $state.raw<ShareStep>({ is: 'looking' })
  /** Kinds that stay in, and single findings by what they are: other choices give them other numbers. */
  readonly keptKinds = new SvelteSet<SecretKind>()
  readonly #kept = new SvelteSet<string>()
  #range: ShareChoice['range'] | undefined
  #ready: File | undefined
  #looks = 0

  constructor(api: AgentApi, { session, near, title }: { session: SessionId; near: Id | undefined; title: string }) {
    this.#api = api
    this.#session = session
    this.#title = title
    this.isPart = near !== undefined
    this.#range = near === undefined ? undefined : { around: near }
  }

  get isBusy(): boolean {
    return this.step.is === 'looking' || this.step.is === 'writing'
  }

  /** Looks at what would go out now; the newest look counts. */
  async look(): Promise<void> {
    const look = ++this.#looks
    this.#ready = undefined
    this.step = { is: 'looking' }
    const range = this.isPart ? (this.#range ?? this.review?.range) : undefined
    const choice: ShareChoice = { tools: this.tools, attachedTexts: this.attachedTexts, ...(range ? { range } : {}) }
    try {
      const review = await this.#api.reviewShare(this.#session, choice)
      if (look !== this.#looks) return
      this.review = review
      this.step = { is: 'choosing' }
    } catch (error) {
      if (look === this.#looks) this.step = { is: 'failed', ...failureOf(error) }
    }
  }

  /** The part from one message to another, by their numbers. */
  choosePart(range: MessageRange): void {
    this.isPart = true
    this.#range = range
    void this.look()
  }

  isKept(finding: ShareFinding): boolean {
    return this.keptKinds.has(finding.kind) || this.#kept.has(nameOf(finding))
  }

  /** Takes a finding out, or keeps it in. */
  keep(finding: ShareFinding, keep: boolean): void {
    this.#chosenAnew()
    const others = this.review?.findings.filter(({ kind }) => kind === finding.kind) ?? []
    if (this.keptKinds.delete(finding.kind)) for (const other of others) this.#kept.add(nameOf(other))
    if (keep) this.#kept.add(nameOf(finding))
    else this.#kept.delete(nameOf(finding))
  }

  keepKind(kind: SecretKind, keep: boolean): void {
    this.#chosenAnew()
    if (keep) this.keptKinds.add(kind)
    else {
      this.keptKinds.delete(kind)
      for (const finding of this.review?.findings ?? []) if (finding.kind === kind) this.#kept.delete(nameOf(finding))
    }
  }

  /** How many of a kind stay in. */
  keptOf(kind: SecretKind): number {
    const { counts = [], findings = [] } = this.review ?? {}
    if (this.keptKinds.has(kind)) return counts.find(one => one.kind === kind)?.findings ?? 0
    return findings.filter(finding => finding.kind === kind && this.#kept.has(nameOf(finding))).length
  }

  /** Must be called in a click, so that a dialog may open. */
  async save(): Promise<void> {
    const type = fileTypes[this.format]
    let sink: Sink | undefined
    try {
      sink = await saveFile(this.#fileName(type), type)
      if (sink === undefined) return
      let bytes = 0
      for await (const part of this.#parts()) {
        bytes += new TextEncoder().encode(part).length
        await sink.write(part)
      }
      await sink.close()
      this.step = { is: 'saved', bytes }
    } catch (error) {
      await sink?.abort().catch(() => undefined) // what broke it is what the person must know
      this.step = { is: 'failed', ...failureOf(error) }
    }
  }

  /** Whether the system takes files of this kind from a page. */
  get canShare(): boolean {
    const type = fileTypes[this.format]
    const file = new File([''], `a${type.ending}`, { type: type.mime })
    return typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] })
  }

  /** Hands the file to the system. A long one takes longer than a click counts: then one more is wanted. */
  async share(): Promise<void> {
    try {
      this.#ready ??= await this.#file()
      await navigator.share({ files: [this.#ready], title: this.#title })
      this.step = { is: 'sent' }
    } catch (error) {
      const name = error instanceof DOMException ? error.name : ''
      if (name === 'AbortError') this.step = { is: 'choosing' }
      else if (name === 'NotAllowedError' && this.#ready !== undefined) this.step = { is: 'ready' }
      else this.step = { is: 'failed', ...failureOf(error) }
    }
  }

  async #file(): Promise<File> {
    const type = fileTypes[this.format]
    const parts: string[] = []
    for await (const part of this.#parts()) parts.push(part)
    return new File(parts, this.#fileName(type), { type: type.mime })
  }

  async *#parts(): AsyncGenerator<string> {
    const { review } = this
    if (review === undefined) return
    let messages = 0
    this.step = { is: 'writing', messages }
    const kept: KeptFindings = {
      ids: review.findings.filter(finding => this.#kept.has(nameOf(finding))).map(({ id }) => id),
      kinds: [...this.keptKinds],
    }
    const options = {
      api: this.#api,
      handle: review.handle,
      kept,
      format: this.format,
      words: shareWords(),
      pause: pauses(),
    }
    for await (const part of sharedFile(options)) {
      yield part
      if (++messages % 100 === 0) this.step = { is: 'writing', messages }
    }
  }

  #chosenAnew(): void {
    this.#ready = undefined
    if (!this.isBusy) this.step = { is: 'choosing' }
  }

  #fileName({ ending }: FileType): string {
    return fileName(this.#title, dayOf(Date.now()), ending)
  }
}

const nameOf = ({ kind, places }: ShareFinding): string => `${kind} ${places[0]?.found ?? ''}`
