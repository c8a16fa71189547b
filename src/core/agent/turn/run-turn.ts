/**
 * The agent loop: continues a turn from the state of its log until it is closed, asks the person, or is interrupted
 * (C12).
 */
import { stepsAfterResult } from '../../context/steps/cap-pages.ts'
import { alreadyNoted } from '../../context/compaction/compaction-backoff.ts'
import { AgentError, type Code } from '../../errors.ts'
import type { Id } from '../../log/entry.ts'
import type { ContinueMode, Status } from '../api/api.ts'
import type { ModelAnswer, AskFailure } from '../model-call/ask-model.ts'
import { awaitNetwork, endNetworkWait } from '../model-call/await-network.ts'
import { learnFromUsage } from '../model-call/learn-from-usage.ts'
import { noteBuffering } from '../model-call/note-buffering.ts'
import { syntheticResults, syntheticResultTexts } from './synthetic-results.ts'
import { OverflowSafeCall } from '../model-call/overflow-safe-call.ts'
import { progressReporter } from '../request/progress-reporter.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { callLoopOf } from './loop-guard.ts'
import { plainData } from '../session/plain-data.ts'
import { hasEgressConsent, needsEgressConsent, egressRequest, toolReadAccess } from '../privacy/egress.ts'
import { runCalls, throwIfTurnStopped, type PermissionDecision } from './run-calls.ts'
import { noteEarlierEgress } from '../privacy/note-earlier-egress.ts'
import type { EntryToAppend, Session } from '../session/session.ts'
import { viewInTurn, runAndAppend, setUpRequest, type RequestSetup } from '../request/request-setup.ts'
import { newestTurnState, type TurnState } from '../session/turn-state.ts'
import { noteTexts } from '../i18n/note-texts.ts'
import { answerFact, isReasoningOnlyAnswer, withoutCalls } from './answer-fact.ts'

export type RunTurn = {
  runtime: AgentRuntime
  session: Session
  signal: AbortSignal
  /** What the person just said to calls that asked, by call id. */
  decisions?: Map<string, PermissionDecision>
  /** The person asked to continue an answer that was cut off or stopped. */
  continueWith?: boolean | ContinueMode
}

/** Continues the newest turn. Throws only storage errors; everything else ends in a note and a status. */
export async function runTurn(run: RunTurn): Promise<Status> {
  try {
    return await new TurnRun(run).run()
  } catch (thrown) {
    if (run.signal.aborted) {
      await closeStoppedTurn(run)
      return { state: 'idle' }
    }
    if (!(thrown instanceof AgentError) || !ofModels.has(thrown.code)) throw thrown
    return noteFailure(run, thrown, noteTexts(run.runtime).failed(thrown.message))
  } finally {
    await endNetworkWait(run.session)
  }
}

/** After a stop: stores and marks what was written, and gives open calls a result. */
async function closeStoppedTurn({ runtime, session }: RunTurn): Promise<void> {
  const fresh: EntryToAppend[] = []
  const writing = session.reply
  if (writing && (writing.text !== '' || writing.reasoning !== '' || writing.calls.length > 0)) {
    fresh.push(answerFact({ ...writing, stop: 'stopped' }, { id: writing.model, local: writing.local }))
    fresh.push(...syntheticResults(writing.calls, syntheticResultTexts.stopped))
  } else {
    if (writing) await session.discardReply()
    fresh.push(...syntheticResults(newestTurnState(session.log).calls, syntheticResultTexts.stopped))
  }
  await session.append([...fresh, { type: 'note', code: 'stopped', text: noteTexts(runtime).stopped }])
}

class TurnRun {
  readonly #run: RunTurn
  /** Passages that were given already, and the entries of this turn: the search must not return the question itself. */
  readonly #givenPassages = new Set<Id>()
  #continueWith: boolean | ContinueMode
  #emptyAnswers = 0
  #madeRoom = false
  /** A window that the server named in this turn, where another one is typed. */
  #reportedWindow: number | undefined

  constructor(run: RunTurn) {
    this.#run = run
    this.#continueWith = run.continueWith ?? false
  }

  async run(): Promise<Status> {
    const { runtime, session, signal } = this.#run
    for (;;) {
      throwIfTurnStopped(signal)
      const turn = newestTurnState(session.log)
      if (turn.state === 'closed' && !(this.#continueWith && turn.canContinue)) return { state: 'idle' }
      if (turn.state === 'stopped' && !this.#continueWith) return { state: 'idle' }
      if (turn.state === 'broken' && !this.#continueWith) return { state: 'interrupted' }
      for (const { id } of [turn.question, ...turn.since].filter(entry => entry !== undefined))
        this.#givenPassages.add(id)
      const setup = await setUpRequest(runtime, session, { reportedWindow: this.#reportedWindow })
      if (turn.state === 'calls') {
        const ran = await this.#runCalls(setup)
        if (ran !== 'done') return { state: 'asking', question: ran.asking }
        continue
      }
      const how = typeof this.#continueWith === 'string' ? this.#continueWith : undefined
      this.#continueWith = false
      const ended = await this.#step(setup, turn, how)
      if (ended) return ended
    }
  }

  #runCalls(setup: RequestSetup): ReturnType<typeof runCalls> {
    const { runtime, session, signal } = this.#run
    const { local } = setup.model
    // What a local model reads in a chat that may leave the device would be sent to a remote model with its next
    // question.
    const away = !local || hasEgressConsent(session.info) || setup.summariserRemote
    return runCalls({
      remote: away,
      session,
      store: runtime.deps.store,
      tools: setup.tools,
      words: noteTexts(runtime),
      decisions: this.#run.decisions ?? new Map(),
      context: {
        session: session.id,
        world: runtime.deps.world,
        readPage: runtime.deps.readPage,
        compilePattern: runtime.deps.compilePattern,
        signal,
        maxBytes: setup.maxBytes,
        maxSearchTokens: setup.maxSearchTokens,
        givenPassages: this.#givenPassages,
      },
      compact: async keep => {
        const { compactForAgent } = await import('./compact-for-agent.ts')
        return compactForAgent({ runtime, session, setup, signal }, keep)
      },
      access: file =>
        toolReadAccess({
          store: runtime.deps.store,
          search: runtime.search,
          info: session.info,
          remote: away,
          local,
          ...(file === undefined ? {} : { file }),
        }),
      setStatus: status => {
        runtime.setStatus(session.id, status)
      },
      afterResult: async () => {
        await this.#runStepsOf(setup, 'onResult')
      },
    })
  }

  /** One model call with what it takes to make it fit. Answers with the status when the turn ends with it. */
  async #step(
    setup: RequestSetup,
    { steps, since }: TurnState,
    how: ContinueMode | undefined,
  ): Promise<Status | undefined> {
    const { runtime, session } = this.#run
    const asking = this.#egressStatus(setup)
    if (asking) return asking
    await awaitNetwork(this.#run, setup.model)
    await this.#noteReduced(setup)
    if (steps === 0) await noteEarlierEgress(runtime, session, setup.model)
    if (steps === 0) await this.#runStepsOf(setup, 'onTurn')
    const isCut = await this.#runStepsOf(setup, 'onCall')
    const circle = callLoopOf(since, setup.tools)
    const last = steps >= setup.maxSteps || circle !== undefined
    if (circle)
      await session.append([
        { type: 'note', code: 'loop_broken', text: noteTexts(runtime).circle(circle), data: { circle } },
      ])
    else if (last && !alreadyNoted(session.log, 'step_limit')) {
      await session.append([
        { type: 'note', code: 'step_limit', text: noteTexts(runtime).stepLimit(steps), data: { steps } },
      ])
    }
    // What changed while the chat went on (memory) comes in with a cut, which makes the request another one anyway.
    const now = isCut ? await setUpRequest(runtime, session, { reportedWindow: this.#reportedWindow }) : setup
    const askingNow = this.#egressStatus(now) // a cut takes long: another model may have been chosen meanwhile
    if (askingNow) return askingNow
    const call = new OverflowSafeCall(this.#run, now, { told: this.#reportedWindow, goOn: how })
    const asked = await call.ask(last)
    this.#reportedWindow = call.reportedWindow
    if ('failure' in asked) return this.#failed(call.setup, asked.failure)
    // A model that calls although it may not would go on for ever: only what it says counts.
    const calledOn = last && asked.answer.calls.length > 0
    const answer: ModelAnswer = calledOn ? withoutCalls(asked.answer) : asked.answer
    if (calledOn && (circle !== undefined || answer.text.trim() === '')) return this.#endLoop(call.setup, answer)
    const ended = await this.#answered(call.setup, answer, call.countedTokens, call.maxTokens)
    if (!call.truncatedByWindow || ended || this.#madeRoom) return ended
    // The window ended the answer, not the model: it is continued with a smaller request, once per turn.
    this.#madeRoom = true
    this.#continueWith = await call.makeRoom()
    return undefined
  }

  /** A chat that only local models have answered is not sent to a remote model without consent. */
  #egressStatus({ model }: RequestSetup): Status | undefined {
    if (!needsEgressConsent(this.#run.session, model)) return undefined
    return { state: 'asking', question: egressRequest }
  }

  /** C7.6: adds a note that a small window has fewer tools, once for each window. */
  async #noteReduced({ toolsReduced, window }: RequestSetup): Promise<void> {
    const { runtime, session } = this.#run
    if (!toolsReduced) return
    const said = session.log.findLast(entry => entry.type === 'note' && entry.code === 'small_window')
    if (said?.type === 'note' && said.data?.['how'] === toolsReduced && said.data['window'] === window) return
    await session.append([
      {
        type: 'note',
        code: 'small_window',
        text: noteTexts(runtime).smallWindow(toolsReduced, window),
        data: { how: toolsReduced, window },
      },
    ])
  }

  /** Answers whether the steps have added anything. */
  async #runStepsOf(setup: RequestSetup, moment: 'onTurn' | 'onCall' | 'onResult'): Promise<boolean> {
    const { runtime, session, signal } = this.#run
    const steps = moment === 'onResult' ? stepsAfterResult(setup.strategy, setup.maxBytes) : setup.strategy[moment]
    return runAndAppend(
      session,
      steps,
      setup.env(moment, { signal, view: viewInTurn(setup.model), progress: progressReporter(runtime, session) }),
    )
  }

  /**
   * The model was asked to answer without tools and called one anyway: its text is kept, and the person decides whether
   * to continue.
   */
  async #endLoop(setup: RequestSetup, answer: ModelAnswer): Promise<Status> {
    const { runtime, session } = this.#run
    const said = answer.text.trim() !== ''
    if (!said) await session.discardReply()
    await session.append([
      ...(said ? [answerFact(answer, setup.model)] : []),
      { type: 'note', code: 'loop_ended', text: noteTexts(runtime).circleEnded },
    ])
    return { state: said ? 'idle' : 'interrupted' }
  }

  /** `maxTokens`: the output limit that it was asked with. */
  async #answered(
    setup: RequestSetup,
    answer: ModelAnswer,
    counted: number,
    maxTokens: number,
  ): Promise<Status | undefined> {
    const { runtime, session } = this.#run
    const thoughts = isReasoningOnlyAnswer(answer)
    if (!thoughts && answer.text.trim() === '' && answer.calls.length === 0) {
      this.#emptyAnswers++
      if (this.#emptyAnswers === 1) {
        await session.discardReply()
        return undefined
      }
      return this.#giveUp(
        setup,
        { error: new AgentError('model_empty', noteTexts(runtime).emptyAnswer), answer, started: false },
        noteTexts(runtime).emptyAnswer,
      )
    }
    const limit = answer.stop === 'length' ? Math.max(maxTokens, answer.usage?.output ?? 0) : undefined
    await session.append([
      answerFact(answer, setup.model),
      // What it thought was paid for: it is kept, and the person says how to go on.
      ...(thoughts
        ? [
            {
              type: 'note',
              code: 'thought_limit',
              text: noteTexts(runtime).thoughtOnly(limit),
              ...(limit === undefined ? {} : { tokens: limit, data: { limit } }),
            } as const,
          ]
        : []),
    ])
    await learnFromUsage(runtime, session, setup, answer, counted)
    if (answer.bufferedByProxy) await noteBuffering(runtime, session, setup.model)
    if (answer.toolsAsText)
      await session.append([
        {
          type: 'note',
          code: 'tools_in_words',
          text: noteTexts(runtime).toolsInWords(setup.model.name),
          data: { model: setup.model.id },
        },
      ])
    return undefined
  }

  async #failed(setup: RequestSetup, failure: AskFailure): Promise<Status | undefined> {
    const words = noteTexts(this.#run.runtime)
    if (failure.error.code === 'stopped') throw failure.error
    if (failure.retryAt !== undefined) {
      const seconds = Math.ceil((failure.retryAt - this.#run.runtime.deps.world.now()) / 1000)
      return this.#giveUp(setup, failure, words.waitLonger(seconds))
    }
    return this.#giveUp(
      setup,
      failure,
      failure.started ? words.cutOff(failure.error.message) : words.failed(failure.error.message),
    )
  }

  /** Stores what had arrived, adds a note about what happened, and leaves the turn open for Continue or Retry. */
  async #giveUp(setup: RequestSetup, { error, answer, started, retryAt }: AskFailure, text: string): Promise<Status> {
    const { runtime, session } = this.#run
    const kept = answer.text.trim() !== '' || answer.calls.length > 0 || answer.reasoning.trim() !== ''
    const data = {
      ...plainData(error),
      ...(started ? { begun: true } : {}),
      ...(retryAt === undefined ? {} : { retryAt, code: error.code }),
    }
    if (!kept) await session.discardReply()
    await session.append([
      ...(kept
        ? [
            answerFact({ ...answer, stop: 'failed' }, setup.model),
            ...syntheticResults(answer.calls, syntheticResultTexts.interrupted),
          ]
        : []),
      { type: 'note', code: retryAt === undefined ? error.code : 'retry', text, data },
    ])
    runtime.emit({ type: 'failed', session: session.id, code: error.code, message: text, data })
    return { state: 'interrupted' }
  }
}

/** Errors of a model that could not be asked at all. They leave a note like failures of an answer. */
const ofModels: ReadonlySet<Code> = new Set<Code>([
  'model_unavailable',
  'model_auth',
  'model_not_found',
  'blocked_address',
])

async function noteFailure({ runtime, session }: RunTurn, error: AgentError, text: string): Promise<Status> {
  await session.append([{ type: 'note', code: error.code, text }])
  runtime.emit({ type: 'failed', session: session.id, code: error.code, message: text })
  return { state: 'interrupted' }
}
