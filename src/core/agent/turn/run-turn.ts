/** The loop: a turn is carried on from what its log says until it is closed, asks the person, or is cut off (C12). */
import { capPages } from '../../context/steps/cap-pages.ts'
import { saidAlready } from '../../context/compaction/compaction-backoff.ts'
import { AgentError, type Code } from '../../errors.ts'
import { isThoughtsAlone } from '../../log/answer-parts.ts'
import type { Id } from '../../log/entry.ts'
import type { GoOn, Status } from '../api/api.ts'
import type { Answer, Failure } from '../model-call/ask-model.ts'
import { learnFromUsage } from '../model-call/learn-from-usage.ts'
import { sayHeldBack } from '../model-call/note-buffering.ts'
import { closeCalls, closedBecause } from './synthetic-results.ts'
import { FittingCall, progressOf } from '../model-call/overflow-safe-call.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { circles } from './loop-guard.ts'
import { plainData } from '../session/plain-data.ts'
import { leavesFreely, leavesUnasked, leavingQuestion, toolReading } from '../privacy/egress.ts'
import { runCalls, throwIfStopped, type Decision } from './run-calls.ts'
import { saySentBefore } from '../privacy/note-earlier-egress.ts'
import type { Fresh, Session } from '../session/session.ts'
import { inTurn, runSteps, setUp, type Setup } from '../request/request-setup.ts'
import { newestTurn, type Turn } from '../session/turn-state.ts'
import type { Model } from '../../ports/ports.ts'
import { wordsOf } from '../i18n/note-texts.ts'

export type RunTurn = {
  kit: Kit
  session: Session
  signal: AbortSignal
  /** What the person just said to calls that asked, by call id. */
  decisions?: Map<string, Decision>
  /** The person asked to go on with an answer that was cut off or stopped. */
  goOn?: boolean | GoOn
}

/** Carries the newest turn on. Throws only what storage throws; everything else ends in a note and a status. */
export async function runTurn(run: RunTurn): Promise<Status> {
  try {
    return await new TurnRun(run).carryOn()
  } catch (thrown) {
    if (run.signal.aborted) {
      await putAway(run)
      return { state: 'idle' }
    }
    if (!(thrown instanceof AgentError) || !ofModels.has(thrown.code)) throw thrown
    return sayFailure(run, thrown, wordsOf(run.kit).failed(thrown.message))
  }
}

/** After a stop: what was written is kept and marked, and open calls get their result. */
async function putAway({ kit, session }: RunTurn): Promise<void> {
  const fresh: Fresh[] = []
  const writing = session.writing
  if (writing && (writing.text !== '' || writing.reasoning !== '' || writing.calls.length > 0)) {
    fresh.push(asFact({ ...writing, stop: 'stopped' }, { id: writing.model, local: writing.local }))
    fresh.push(...closeCalls(writing.calls, closedBecause.stopped))
  } else {
    if (writing) await session.drop()
    fresh.push(...closeCalls(newestTurn(session.log).calls, closedBecause.stopped))
  }
  await session.append([...fresh, { type: 'note', code: 'stopped', text: wordsOf(kit).stopped }])
}

class TurnRun {
  readonly #run: RunTurn
  /** Passages that were given, and what this turn said itself: the search must not answer with the question. */
  readonly #given = new Set<Id>()
  #goOn: boolean | GoOn
  #empties = 0
  #madeRoom = false
  /** A window that the server named in this turn, where another one is typed. */
  #told: number | undefined

  constructor(run: RunTurn) {
    this.#run = run
    this.#goOn = run.goOn ?? false
  }

  async carryOn(): Promise<Status> {
    const { kit, session, signal } = this.#run
    for (;;) {
      throwIfStopped(signal)
      const turn = newestTurn(session.log)
      if (turn.state === 'closed' && !(this.#goOn && turn.canGoOn)) return { state: 'idle' }
      if (turn.state === 'stopped' && !this.#goOn) return { state: 'idle' }
      if (turn.state === 'broken' && !this.#goOn) return { state: 'interrupted' }
      for (const { id } of [turn.question, ...turn.since].filter(entry => entry !== undefined)) this.#given.add(id)
      const setup = await setUp(kit, session, { told: this.#told })
      if (turn.state === 'calls') {
        const ran = await this.#runCalls(setup)
        if (ran !== 'done') return { state: 'asking', question: ran.asking }
        continue
      }
      const how = typeof this.#goOn === 'string' ? this.#goOn : undefined
      this.#goOn = false
      const ended = await this.#step(setup, turn, how)
      if (ended) return ended
    }
  }

  #runCalls(setup: Setup): ReturnType<typeof runCalls> {
    const { kit, session, signal } = this.#run
    const { local } = setup.model
    // What a model of this device reads in a chat that may leave would be sent to a model elsewhere with its next
    // question.
    const away = !local || leavesFreely(session.info) || setup.summariserElsewhere
    return runCalls({
      away,
      session,
      store: kit.parts.store,
      tools: setup.tools,
      words: wordsOf(kit),
      decisions: this.#run.decisions ?? new Map(),
      context: {
        session: session.id,
        world: kit.parts.world,
        readPage: kit.parts.readPage,
        compilePattern: kit.parts.compilePattern,
        signal,
        maxBytes: setup.maxBytes,
        maxSearchTokens: setup.maxSearchTokens,
        given: this.#given,
      },
      read: file =>
        toolReading({
          store: kit.parts.store,
          search: kit.search,
          info: session.info,
          away,
          local,
          ...(file === undefined ? {} : { file }),
        }),
      tell: status => {
        kit.tellStatus(session.id, status)
      },
      afterResult: async () => {
        await this.#steps(setup, 'onResult')
      },
    })
  }

  /** One model call with what it takes to make it fit. Answers with the status when the turn ends with it. */
  async #step(setup: Setup, { steps, since }: Turn, how: GoOn | undefined): Promise<Status | undefined> {
    const { kit, session } = this.#run
    const asking = this.#mayLeave(setup)
    if (asking) return asking
    await this.#sayReduced(setup)
    if (steps === 0) await saySentBefore(kit, session, setup.model)
    if (steps === 0) await this.#steps(setup, 'onTurn')
    const isCut = await this.#steps(setup, 'onCall')
    const circle = circles(since, setup.tools)
    const last = steps >= setup.maxSteps || circle !== undefined
    if (circle)
      await session.append([{ type: 'note', code: 'loop_broken', text: wordsOf(kit).circle(circle), data: { circle } }])
    else if (last && !saidAlready(session.log, 'step_limit')) {
      await session.append([{ type: 'note', code: 'step_limit', text: wordsOf(kit).stepLimit(steps), data: { steps } }])
    }
    // What changed while the chat went on (memory) comes in with a cut, which makes the request another one anyway.
    const now = isCut ? await setUp(kit, session, { told: this.#told }) : setup
    const askingNow = this.#mayLeave(now) // a cut takes long: another model may have been chosen meanwhile
    if (askingNow) return askingNow
    const call = new FittingCall(this.#run, now, { told: this.#told, goOn: how })
    const asked = await call.ask(last)
    this.#told = call.told
    if ('failure' in asked) return this.#failed(call.setup, asked.failure)
    // A model that calls although it may not would go on for ever: only what it says counts.
    const calledOn = last && asked.answer.calls.length > 0
    const answer: Answer = calledOn ? withoutCalls(asked.answer) : asked.answer
    if (calledOn && (circle !== undefined || answer.text.trim() === '')) return this.#endCircle(call.setup, answer)
    const ended = await this.#answered(call.setup, answer, call.counted, call.maxTokens)
    if (!call.endedWithin || ended || this.#madeRoom) return ended
    // The window ended the answer, not the model: it goes on with a smaller request, once a turn.
    this.#madeRoom = true
    this.#goOn = await call.makeRoom()
    return undefined
  }

  /** A chat that was only answered on this device is not sent elsewhere without a yes. */
  #mayLeave({ model }: Setup): Status | undefined {
    if (!leavesUnasked(this.#run.session, model)) return undefined
    return { state: 'asking', question: leavingQuestion }
  }

  /** C7.6: that a small window got less is said once for each window. */
  async #sayReduced({ reduced, window }: Setup): Promise<void> {
    const { kit, session } = this.#run
    if (!reduced) return
    const said = session.log.findLast(entry => entry.type === 'note' && entry.code === 'small_window')
    if (said?.type === 'note' && said.data?.['how'] === reduced && said.data['window'] === window) return
    await session.append([
      {
        type: 'note',
        code: 'small_window',
        text: wordsOf(kit).smallWindow(reduced, window),
        data: { how: reduced, window },
      },
    ])
  }

  /** Answers whether the steps have added anything. */
  async #steps(setup: Setup, moment: 'onTurn' | 'onCall' | 'onResult'): Promise<boolean> {
    const { kit, session, signal } = this.#run
    const steps =
      moment === 'onResult' ? [...(setup.strategy.onResult ?? []), capPages(setup.maxBytes)] : setup.strategy[moment]
    return runSteps(
      session,
      steps,
      setup.env(moment, { signal, view: inTurn(setup.model), progress: progressOf(kit, session) }),
    )
  }

  /**
   * It was asked to answer without a tool and called one all the same: what it said counts, and the person decides
   * whether it goes on.
   */
  async #endCircle(setup: Setup, answer: Answer): Promise<Status> {
    const { kit, session } = this.#run
    const said = answer.text.trim() !== ''
    if (!said) await session.drop()
    await session.append([
      ...(said ? [asFact(answer, setup.model)] : []),
      { type: 'note', code: 'loop_ended', text: wordsOf(kit).circleEnded },
    ])
    return { state: said ? 'idle' : 'interrupted' }
  }

  /** `maxTokens`: the output limit that it was asked with. */
  async #answered(setup: Setup, answer: Answer, counted: number, maxTokens: number): Promise<Status | undefined> {
    const { kit, session } = this.#run
    const thoughts = wasThought(answer)
    if (!thoughts && answer.text.trim() === '' && answer.calls.length === 0) {
      this.#empties++
      if (this.#empties === 1) {
        await session.drop()
        return undefined
      }
      return this.#giveUp(
        setup,
        { error: new AgentError('model_empty', wordsOf(kit).emptyAnswer), answer, started: false },
        wordsOf(kit).emptyAnswer,
      )
    }
    const limit = answer.stop === 'length' ? Math.max(maxTokens, answer.usage?.output ?? 0) : undefined
    await session.append([
      asFact(answer, setup.model),
      // What it thought was paid for: it is kept, and the person says how to go on.
      ...(thoughts
        ? [
            {
              type: 'note',
              code: 'thought_limit',
              text: wordsOf(kit).thoughtOnly(limit),
              ...(limit === undefined ? {} : { tokens: limit, data: { limit } }),
            } as const,
          ]
        : []),
    ])
    await learnFromUsage(kit, session, setup, answer, counted)
    if (answer.heldBack) await sayHeldBack(kit, session, setup.model)
    if (answer.toolsInWords)
      await session.append([
        {
          type: 'note',
          code: 'tools_in_words',
          text: wordsOf(kit).toolsInWords(setup.model.name),
          data: { model: setup.model.id },
        },
      ])
    return undefined
  }

  async #failed(setup: Setup, failure: Failure): Promise<Status | undefined> {
    const words = wordsOf(this.#run.kit)
    if (failure.error.code === 'stopped') throw failure.error
    if (failure.retryAt !== undefined) {
      const seconds = Math.ceil((failure.retryAt - this.#run.kit.parts.world.now()) / 1000)
      return this.#giveUp(setup, failure, words.waitLonger(seconds))
    }
    return this.#giveUp(
      setup,
      failure,
      failure.started ? words.cutOff(failure.error.message) : words.failed(failure.error.message),
    )
  }

  /** Keeps what had come, says what happened, and leaves the turn open for Continue or Retry. */
  async #giveUp(setup: Setup, { error, answer, started, retryAt }: Failure, text: string): Promise<Status> {
    const { kit, session } = this.#run
    const kept = answer.text.trim() !== '' || answer.calls.length > 0 || answer.reasoning.trim() !== ''
    const data = {
      ...plainData(error),
      ...(started ? { begun: true } : {}),
      ...(retryAt === undefined ? {} : { retryAt, code: error.code }),
    }
    if (!kept) await session.drop()
    await session.append([
      ...(kept
        ? [asFact({ ...answer, stop: 'failed' }, setup.model), ...closeCalls(answer.calls, closedBecause.interrupted)]
        : []),
      { type: 'note', code: retryAt === undefined ? error.code : 'retry', text, data },
    ])
    kit.tell({ type: 'failed', session: session.id, code: error.code, message: text, data })
    return { state: 'interrupted' }
  }
}

/** Faults of a model that was not even asked: it is not there. They leave a note like those of an answer. */
const ofModels: ReadonlySet<Code> = new Set<Code>([
  'model_unavailable',
  'model_auth',
  'model_not_found',
  'blocked_address',
])

async function sayFailure({ kit, session }: RunTurn, error: AgentError, text: string): Promise<Status> {
  await session.append([{ type: 'note', code: error.code, text }])
  kit.tell({ type: 'failed', session: session.id, code: error.code, message: text })
  return { state: 'interrupted' }
}

/**
 * Whether an answer that says nothing is thoughts, shown or only counted: then it is none that has to be asked for
 * again.
 */
function wasThought(answer: Answer): boolean {
  return isThoughtsAlone(answer) && (answer.reasoning.trim() !== '' || (answer.usage?.output ?? 0) > 0)
}

/** Details belong to an answer as it came. */
function withoutCalls({ details: _details, ...answer }: Answer): Answer {
  return { ...answer, calls: [], stop: 'stop' }
}

function asFact(answer: Answer, model: Pick<Model, 'id' | 'local' | 'reasoning'>): Fresh {
  return {
    type: 'assistant',
    text: answer.text,
    ...(answer.reasoning === '' ? {} : { reasoning: answer.reasoning }),
    ...(answer.details === undefined || model.reasoning === undefined
      ? {}
      : { details: { from: model.reasoning.from, value: answer.details } }),
    calls: [...answer.calls],
    model: model.id,
    local: model.local,
    stop: answer.stop,
    ...(answer.usage ? { usage: answer.usage } : {}),
  }
}
