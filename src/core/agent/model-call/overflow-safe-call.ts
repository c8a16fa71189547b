/** One model call with overflow handling: the guard before it, the fallback after a refusal (C5.6, C5.7). */
import { initialFallback, escalate, fits, type FallbackState } from '../../context/overflow/overflow-fallback.ts'
import { requestSize } from '../../context/size/measure.ts'
import { shortenOnly } from '../../context/overflow/shorten-only.ts'
import type { Verdict } from '../../context/overflow/verdict.ts'
import type { StepEnv } from '../../context/strategy.ts'
import { AgentError, codeOf, type Code } from '../../errors.ts'
import { calibrated, type Counter } from '../../log/counter.ts'
import type { Entry, Id } from '../../log/entry.ts'
import type { Effort, Message, ModelRequest } from '../../log/message.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { effectiveEdits } from '../../log/query.ts'
import { wholeAnswers } from '../../log/model-view/whole-answers.ts'
import { lastWords } from '../../text/continuation.ts'
import type { ContinueMode } from '../api/api.ts'
import { continueAfterReasoning, continueMessage, roomAroundReasoning } from './continue-messages.ts'
import { refusalVerdict } from './refusal-verdict.ts'
import { progressReporter } from '../request/progress-reporter.ts'
import { awaitNetwork, endNetworkWait, mustWait } from './await-network.ts'
import { askModel, type ModelAnswer, type AskResult } from './ask-model.ts'
import { probeWindow, hasSuspicionNote } from './learn-from-usage.ts'
import { effectiveEffort } from '../request/effective-effort.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import { endedByWindow, isSilentOverflow, promptTokens } from './silent-overflow.ts'
import { noteTexts, type RequestSizes } from '../i18n/note-texts.ts'
import { localizeNotes } from '../i18n/localize-notes.ts'
import { viewInTurn, setUpRequest, type RequestSetup } from '../request/request-setup.ts'
import { newestTurnState } from '../session/turn-state.ts'

type Run = { runtime: AgentRuntime; session: Session; signal: AbortSignal }

/** Codes after which the length cannot be reduced further. */
const tooLong: ReadonlySet<Code> = new Set<Code>(['model_overflow', 'model_too_large'])

export class OverflowSafeCall {
  readonly #run: Run
  /** The current setup; made again when a window was learnt. */
  setup: RequestSetup
  /** Size of the request as it was sent, by the plain counter; tokens. */
  countedTokens = 0
  /** The window that the server named in this turn, where the person typed another one; tokens. */
  reportedWindow: number | undefined
  /** The window ended the answer: with a smaller prompt it can be continued. */
  truncatedByWindow = false
  #fallback: FallbackState
  /** Corrected by a refusal, for this request only. */
  #counter: Counter | undefined
  /** Steps of the byte fallback that were tried. */
  #byteStepsTried = 0
  /** The request was sent once at a size that fits the ceiling by our count. */
  #underCeiling = false
  /** The group of all edits that this call makes necessary: one Undo lifts them. */
  readonly #group: Id
  /** How to continue an answer of reasoning alone; `#withoutReasoning`: the provider refused its reasoning once. */
  readonly #continueMode: ContinueMode | undefined
  #withoutReasoning = false

  constructor(
    run: Run,
    setup: RequestSetup,
    { told, goOn }: { told?: number | undefined; goOn?: ContinueMode | undefined } = {},
  ) {
    this.#run = run
    this.setup = setup
    this.reportedWindow = told
    this.#continueMode = goOn
    this.#fallback = initialFallback(setup)
    this.#group = run.runtime.deps.world.newId()
    if (goOn === 'more room') this.#fallback = { ...this.#fallback, maxTokens: this.#largerOutputLimit() }
  }

  /** The current output limit, tokens. */
  get maxTokens(): number {
    return this.#fallback.maxTokens
  }

  /**
   * Asks until the request fits and is answered, or no step is left: the failure then names the parts and their sizes.
   */
  async ask(last: boolean): Promise<AskResult> {
    const { runtime, session, signal } = this.#run
    try {
      for (;;) {
        if (!fits(session.log, this.#env(), this.#fallback)) await this.#escalate(undefined)
        const asked = await askModel({
          model: this.setup.model,
          request: this.#request(last),
          session,
          signal,
          world: runtime.deps.world,
          count: this.setup.counter.text,
          setStatus: status => {
            runtime.setStatus(session.id, status)
          },
          mustWait: () => mustWait(runtime, this.setup.model),
          awaitNetwork: () => awaitNetwork(this.#run, this.setup.model),
          begun: () => endNetworkWait(session),
        })
        if ('answer' in asked) {
          const ended = endedByWindow(asked.answer, { window: this.setup.window, maxTokens: this.#fallback.maxTokens })
          this.truncatedByWindow = ended === 'within'
          if (ended !== 'before' && !(await this.#recoverFromEmptyAnswer(asked.answer))) return asked
          await session.discardReply()
          if (ended === 'before') await this.#escalate({ kind: 'overflow_prompt' })
          continue
        }
        if (asked.failure.started) return asked
        if (asked.failure.error.data['askAgain'] === true) {
          // it expects more or less of its reasoning back: the request is made again, and made to fit
          await session.discardReply()
          continue
        }
        const verdict = await refusalVerdict(asked.failure.error, {
          estimate: () => requestSize(session.log, this.#env()).total,
          window: this.setup.window,
        })
        if (!verdict) return asked
        await session.discardReply()
        this.#withoutReasoning = true
        if (verdict.kind === 'payload_too_large' || verdict.characters !== undefined)
          await this.#shrinkBytes(verdict, asked.failure.error)
        else if (!(await this.#learnFromRefusal(verdict)) && !(await this.#shorten(verdict)))
          await this.#escalate(verdict, asked.failure.error)
      }
    } catch (thrown) {
      if (!tooLong.has(codeOf(thrown)) || !(thrown instanceof AgentError)) throw thrown
      const error = (await this.#liftEdits())
        ? new AgentError(thrown.code, `${thrown.message} ${noteTexts(runtime).liftedAgain}`, {
            cause: thrown.cause,
            data: thrown.data,
          })
        : thrown
      return { failure: { error, answer: { text: '', reasoning: '', calls: [], stop: 'failed' }, started: false } }
    }
  }

  /** Lifts the edits that did not help (C5.6, 6). Returns whether there were any. */
  async #liftEdits(): Promise<boolean> {
    const { runtime, session } = this.#run
    if (!effectiveEdits(session.log).some(edit => edit.group === this.#group)) return false
    await session.append([{ type: 'undo', group: runtime.deps.world.newId(), target: this.#group, by: 'ladder' }])
    return true
  }

  /**
   * Makes the request smaller so that an answer that the window ended can be continued; false if only the answer itself
   * could be removed.
   */
  async makeRoom(): Promise<boolean> {
    try {
      await this.#escalate({ kind: 'overflow_prompt' }, undefined, 2)
      return true
    } catch (thrown) {
      if (codeOf(thrown) !== 'model_overflow') throw thrown
      return fits(this.#run.session.log, this.#env(), this.#fallback) // nothing left, but by our count there is room
    }
  }

  /** `rungs`: at most this many steps. */
  async #escalate(verdict: Verdict | undefined, refused?: AgentError, rungs = Infinity): Promise<void> {
    const { runtime, session } = this.#run
    try {
      const climbed = await escalate(
        session.log,
        this.#env(),
        this.#fallback,
        (this.setup.strategy.onOverflow ?? []).slice(0, rungs),
        verdict,
      )
      await this.#append(climbed.entries)
      this.#fallback = climbed.state
    } catch (thrown) {
      if (codeOf(thrown) !== 'model_overflow' || !(thrown instanceof AgentError)) throw thrown
      const said = refused ? ` ${refused.message}` : '' // in the server's own words
      throw new AgentError('model_overflow', `${noteTexts(runtime).stillTooLong(thrown.data as RequestSizes)}${said}`, {
        cause: refused ?? thrown,
        data: thrown.data,
      })
    }
  }

  /**
   * For limits in bytes, or in characters of one text: shortens long texts; if that does not help, throws an error that
   * says whose limit it is.
   */
  async #shrinkBytes(verdict: Verdict, refused: AgentError): Promise<void> {
    const { runtime, session } = this.#run
    const { shrinkBytes, textBytes } = await import('../../context/overflow/byte-fallback.ts') // needed by few
    const { bytes: limit, characters } = verdict
    const lighter = await shrinkBytes(session.log, this.#env(), this.#byteStepsTried, verdict)
    if (lighter === undefined) {
      if (characters !== undefined)
        throw new AgentError('model_too_large', noteTexts(runtime).textTooLong(characters, ` ${refused.message}`), {
          cause: refused,
          data: { ...refused.data, characters },
        })
      const bytes = textBytes(session.log, this.#env())
      throw new AgentError('model_too_large', noteTexts(runtime).tooManyBytes(bytes, limit, ` ${refused.message}`), {
        cause: refused,
        data: { ...refused.data, bytes, ...(limit === undefined ? {} : { limit }) },
      })
    }
    await this.#append(lighter.entries)
    this.#byteStepsTried = lighter.tried
  }

  /** Under a limit of tokens per minute, steps that ask no model run first; returns whether that was enough. */
  async #shorten({ kind }: Verdict): Promise<boolean> {
    if (kind !== 'tpm_single_request') return false
    const shortened = await shortenOnly(this.#run.session.log, this.#env(), this.#fallback)
    if (shortened) await this.#append(shortened)
    return shortened !== undefined
  }

  async #append(entries: readonly Entry[]): Promise<void> {
    const { runtime, session } = this.#run
    await session.append(localizeNotes(entries, runtime.language))
  }

  /**
   * Treats an empty answer that may have been a silent overflow: makes room, once per question. Returns whether it did.
   */
  async #recoverFromEmptyAnswer(answer: ModelAnswer): Promise<boolean> {
    const { runtime, session } = this.#run
    if (!isSilentOverflow(answer, this.setup.calibration.answered) || hasSuspicionNote(session)) return false
    const prompt = promptTokens(answer.usage!)
    await session.append([
      {
        type: 'note',
        code: 'suspect_truncation',
        text: noteTexts(runtime).quietOverflow(prompt, this.setup.window),
        tokens: prompt,
        data: { reported: prompt },
      },
    ])
    const window = await probeWindow(runtime, session, this.setup, true)
    if (window !== undefined) await this.#setUp(window)
    try {
      await this.#escalate({ kind: 'overflow_prompt' })
      return true
    } catch (thrown) {
      if (codeOf(thrown) !== 'model_overflow') throw thrown
      return false // nothing could leave: then it was simply empty
    }
  }

  /**
   * Takes over the provider's own numbers (C1.6, C8). Returns whether to send the same request again with the output
   * limit as it is now.
   */
  async #learnFromRefusal(verdict: Verdict): Promise<boolean> {
    const { runtime, session } = this.#run
    const { learnFromRefusal } = await import('./learn-from-refusal.ts')
    const { total } = requestSize(session.log, this.#env())
    const { factor, window, changed } = await learnFromRefusal(runtime, session, this.setup, verdict, {
      counted: this.countedTokens,
      total,
      maxTokens: this.#fallback.maxTokens,
    })
    if (changed) await this.#setUp(window)
    if (factor !== undefined) this.#counter = calibrated(this.setup.plainCounter, factor)
    if (verdict.kind !== 'tpm_single_request' || this.#underCeiling || !fits(session.log, this.#env(), this.#fallback))
      return false
    this.#underCeiling = true
    return true
  }

  /**
   * Makes the setup again, with model, window and ceiling as known now. `window`: the learnt one, tokens; if the person
   * typed another, it holds for the rest of this turn only (C8).
   */
  async #setUp(window?: number): Promise<void> {
    const { runtime, session } = this.#run
    if (this.setup.windowTyped) this.reportedWindow = window ?? this.reportedWindow
    const now = await setUpRequest(runtime, session, { reportedWindow: this.reportedWindow })
    // a model chosen meanwhile answers from the next request on, which asks for consent first
    if (now.model.id === this.setup.model.id) this.setup = now
    this.#fallback = { ...this.#fallback, maxTokens: Math.min(this.#fallback.maxTokens, this.setup.outputReserve) }
  }

  #request(last: boolean): ModelRequest {
    const { session } = this.#run
    const { system, schemas, plainCounter, config } = this.setup
    const view = viewInTurn(this.setup.model)
    const whole = wholeAnswers(modelView(session.log, view))
    const messages: Message[] = whole.map(({ message }) => message)
    const size = requestSize(session.log, { system, tools: schemas, counter: plainCounter, view })
    this.countedTokens = size.total
    const { reasoning } = newestTurnState(session.log)
    const follow =
      reasoning !== undefined
        ? continueAfterReasoning(this.#withoutReasoning ? '' : reasoning, {
            how: this.#continueMode,
            room: this.#freeTokens() - this.#fallback.maxTokens,
          })
        : messages.at(-1)?.role === 'assistant'
          ? continueMessage(whole.at(-1)?.cutOff ? lastWords(messages.at(-1)!.content) : '')
          : undefined
    if (follow) {
      messages.push(follow)
      this.countedTokens += plainCounter.text(follow.content)
    }
    const effort = this.#effort()
    return {
      system,
      messages,
      tools: schemas,
      maxTokens: this.#fallback.maxTokens,
      ...(effort ? { effort } : {}),
      ...(typeof config.temperature === 'number' ? { temperature: config.temperature } : {}),
      ...(last ? { toolChoice: 'none' as const } : {}),
    }
  }

  /** The effort that is set, or the lowest one if the answer is wanted now. */
  #effort(): Effort | undefined {
    const { efforts } = this.setup.model
    const { config } = this.setup
    return this.#continueMode === 'answer now' ? efforts?.[0] : effectiveEffort(efforts, config.reasoning_effort)
  }

  /** Tokens that are left for the answer. */
  #freeTokens(): number {
    return this.setup.requestWindow - requestSize(this.#run.session.log, this.#env()).total
  }

  /** Twice the limit that was not enough, as far as model and window allow without removing anything. */
  #largerOutputLimit(): number {
    const { requestWindow, model, outputReserve } = this.setup
    const said = this.#run.session.log.findLast(entry => entry.type === 'note' && entry.code === 'thought_limit')
    const before = said?.type === 'note' && said.tokens !== undefined ? said.tokens : outputReserve
    return Math.max(
      outputReserve,
      Math.min(2 * before, model.maxOutput, Math.floor(requestWindow / 2), this.#freeTokens() - roomAroundReasoning),
    )
  }

  /** The guard counts with calibration, whatever the strategy decides by. */
  #env(): StepEnv {
    const { runtime, session, signal } = this.#run
    return this.setup.env('onOverflow', {
      signal,
      view: viewInTurn(this.setup.model),
      counter: this.#counter ?? this.setup.guardCounter,
      group: this.#group,
      progress: progressReporter(runtime, session),
    })
  }
}
