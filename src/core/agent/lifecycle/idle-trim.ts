/**
 * Idle trim: after an idle time a chat goes on with its last turns only, from the person's next message on (C5.5). What
 * that removes is shown before it is done.
 */
import { turnsInView } from '../../context/view/facts-in-view.ts'
import { requestSize } from '../../context/size/measure.ts'
import { runPipeline } from '../../context/run-pipeline.ts'
import type { StrategyName } from '../../context/strategy.ts'
import { codeOf } from '../../errors.ts'
import type { Entry, SessionId } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'
import { factsRemovedBy } from '../../log/model-view/removed-counts.ts'
import type { AgentApi } from '../api/api.ts'
import type { IdleTrim } from '../api/context-api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { EntryToAppend, Session } from '../session/session.ts'
import { setUpRequest } from '../request/request-setup.ts'
import { localizeNotes } from '../i18n/localize-notes.ts'
import { newestTurnState } from '../session/turn-state.ts'

/**
 * An idle chat: how long nothing had been said in it (ms), and its rows by then. `told`: the person has seen what a
 * message would remove.
 */
type IdleSession = { rested: number; rows: number; told: boolean }

/**
 * What "restart" means here. The published text speaks of a service that is started anew; here that is the app, and
 * only for chats that were there before it was loaded. The rest is measured once, from the newest message to the first
 * opening: a tab that stays open for days has not been started anew, and a line that stands above the box does not
 * change by itself while somebody reads. Whatever is said in the chat, here or in another tab, ends the rest; so do an
 * answer made anew, an edited message and a continued answer, which go on in the midst of the talk and see what they
 * saw before. A worker that was replaced begins like a newly loaded app.
 */
export class IdleTrims {
  readonly #runtime: AgentRuntime
  readonly #loadedAt: number // ms since epoch
  #found = new Map<SessionId, IdleSession>()

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime
    this.#loadedAt = runtime.deps.world.now()
  }

  /** The chat was opened for the first time after the app was loaded. Appends nothing. */
  recordOpening(session: Session): void {
    const newest = session.log.findLast(isFact)
    if (newest === undefined || newest.at >= this.#loadedAt) return
    this.#found.set(session.id, {
      rested: this.#runtime.deps.world.now() - newest.at,
      rows: session.rows.length,
      told: false,
    })
    this.#runtime.emitLocally({ type: 'context', session: session.id })
  }

  idleTrim: AgentApi['idleTrim'] = async id => {
    const found = this.#found.get(id)
    if (!found) return null
    const made = await this.#made(await this.#runtime.session(id), found)
    found.told = made !== undefined
    return made?.restart ?? null
  }

  skipIdleTrim: AgentApi['skipIdleTrim'] = async id => {
    this.#found.delete(id)
    this.#runtime.emitLocally({ type: 'context', session: id })
  }

  /**
   * The edits that a message sent now would bring, if the person has seen them; `strategy`: as if that one were chosen.
   * For forecasts (C9.6).
   */
  async forecast(session: Session, strategy?: StrategyName): Promise<Entry[]> {
    const found = this.#found.get(session.id)
    return found ? ((await this.#made(session, found, strategy))?.entries ?? []) : []
  }

  /** The edits that come in front of a new message, made on the log as it is now; none for the messages after it. */
  async dueEdits(session: Session): Promise<EntryToAppend[]> {
    const found = this.#found.get(session.id)
    this.#found.delete(session.id)
    if (!found?.told) return []
    return localizeNotes((await this.#made(session, found))?.entries ?? [], this.#runtime.language)
  }

  /** The strategy's own steps on a copy of the log; undefined where they are not due, or would take nothing out. */
  async #made(
    session: Session,
    { rested, rows }: IdleSession,
    other?: StrategyName,
  ): Promise<{ entries: Entry[]; restart: IdleTrim } | undefined> {
    const { state } = newestTurnState(session.log)
    if (
      session.awaitsImport ||
      (state !== 'closed' && state !== 'stopped') ||
      session.rows.slice(rows).some(({ entry }) => isFact(entry))
    )
      return undefined
    try {
      const { strategy, env: envOf } = await setUpRequest(this.#runtime, session, { strategy: other })
      const { restoreAfter } = strategy
      // a clock that was set back shows as less than no rest
      if (restoreAfter === undefined || (restoreAfter > 0 && rested < restoreAfter)) return undefined
      const env = envOf('onOpen')
      const entries = await runPipeline(session.log, strategy.onOpen ?? [], env)
      const grown = [...session.log, ...entries]
      const [before, after] = [requestSize(session.log, env).total, requestSize(grown, env).total]
      const messages = factsRemovedBy(session.log, entries).length
      if (messages === 0 && before === after) return undefined
      return { entries, restart: { turns: turnsInView(grown).length, messages, before, after } }
    } catch (thrown) {
      if (codeOf(thrown) !== 'model_unavailable') throw thrown
      return undefined // a chat whose model is gone can still be read; its next message will say what is missing
    }
  }
}
