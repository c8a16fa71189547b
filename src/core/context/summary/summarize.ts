/**
 * A summary of facts: asked of a model in bounded pieces, checked, asked once more, and made by rule where that fails
 * (C6).
 */
import { AgentError } from '../../errors.ts'
import type { FactEntry, Id } from '../../log/entry.ts'
import type { StepEnv } from '../strategy.ts'
import { auditSummary } from './audit-summary.ts'
import { extract } from './extract.ts'
import { nothingToKeep, summaryPrompt } from './prompts.ts'
import { inSections } from './sections.ts'
import { blockLimit, serialiseFact } from './serialise-fact.ts'
import { summaryFault, saysNothing, withoutThinking } from './valid-summary.ts'

/** Most of a summary, tokens, and as a share of the window. Source: C6.5. */
const most = 8_000
const mostShare = 0.15
/** Most of the summariser's window that one call may fill, prompt included. Source: C6.4. */
const inputShare = 0.6
/**
 * Most of the summariser's window that a summary so far may take while pieces are still to come: a small one beside a
 * large chat.
 */
const soFarShare = 0.25
/** A model is asked for so much of what it may write at least, but for no more than so much of what it replaces. */
const leastShare = 0.5
const leastOfReplaced = 0.15
/** For one compaction, retries included. Source: C6.5. */
const mostCalls = 8
const mostMs = 3 * 60_000
/** Most of the summary by rule where the model found nothing worth keeping, tokens beside the summary so far. */
const nothingCap = 300
/** Calls that are left for retries when the pieces are planned. */
const spareCalls = 2
/** Below this room a piece would hold less than its own prompt; tokens. */
const leastRoom = 120
/**
 * A summary of six headings and one line has about this many tokens: what replaces less is made by rule, without a
 * call.
 */
const leastReplaced = 80

export type SummaryInput = {
  facts: readonly FactEntry[]
  previous?: string
  replaces: number // tokens that it stands for, the previous summary included
  useModel: boolean
  /** The model may answer that nothing of it is worth keeping (C6.7); then a short summary by rule stands for it. */
  mayBeNothing?: boolean
}

export type Summary = {
  text: string
  /** `model` only where a model answered for every piece that it was asked for. */
  by: 'model' | 'extractive'
  calls: number
  /** Who gave the newest answer that is part of it; undefined where it is all by rule. */
  model?: string
  /** What was wrong with each answer that could not be used. */
  failures: readonly string[]
  /** The model said of all that nothing is worth keeping. */
  nothing?: true
  /** The facts that a model was shown and gave a valid summary of. */
  shown: ReadonlySet<Id>
}

/** Most tokens that a summary may have in this window (C6.5). */
export function summaryCap(contextWindow: number): number {
  return Math.min(most, Math.floor(mostShare * contextWindow))
}

/**
 * A valid summary of the facts and of the previous summary, whatever the model does: at most `summaryCap` tokens and
 * shorter than `replaces` as far as six headings can be. Throws `stopped` when the signal says so, nothing else.
 * The idle timeouts of C6.5 (60 s without a token, 180 s before the first of a local engine) belong to whoever made
 * `env.ask`: they see the stream, this sees one promise; here they arrive as a thrown error.
 */
export async function summarize(input: SummaryInput, env: StepEnv): Promise<Summary> {
  const run = new Run(input, env)
  return run.summary()
}

class Run {
  readonly #input: SummaryInput
  readonly #env: StepEnv
  readonly #cap: number
  /** What the model is asked to stay under: `#cap`, and less where its own window is smaller than the chat's. */
  readonly #askedCap: number
  readonly #startedAt: number
  readonly #count: (text: string) => number
  readonly #shown = new Set<Id>()
  readonly #failures: string[] = []
  #calls = 0
  #model: string | undefined
  #failed = false
  /** Pieces of which the model said that nothing is worth keeping. */
  #nothings = 0

  constructor(input: SummaryInput, env: StepEnv) {
    this.#input = input
    this.#env = env
    this.#count = text => env.counter.text(text)
    this.#cap = Math.max(1, Math.min(summaryCap(env.contextWindow), input.replaces - 1))
    this.#askedCap = Math.max(1, Math.min(this.#cap, Math.floor(env.askWindow * soFarShare)))
    this.#startedAt = env.now()
  }

  async summary(): Promise<Summary> {
    const { facts, previous, useModel, replaces } = this.#input
    let soFar = previous?.trim() || undefined
    let next = 0
    let pieces = 0
    if (useModel && this.#env.ask !== undefined && replaces >= leastReplaced) {
      // What eight calls cannot hold goes by rule first: the newest, which matter most, are left to the model.
      next = this.#firstForModel(soFar)
      if (next > 0) soFar = await this.#byRule(facts.slice(0, next), soFar, this.#askedCap)
      while (next < facts.length) {
        const piece = this.#pieceFrom(next, soFar)
        const answered = piece === undefined ? undefined : await this.#asked(piece, soFar)
        if (piece === undefined || answered === undefined) break
        pieces++
        if (answered !== nothingToKeep) soFar = answered
        for (const fact of facts.slice(next, piece.to)) this.#shown.add(fact.id)
        next = piece.to
        this.#env.progress?.('compacting', next / facts.length)
      }
    }
    this.#mustGoOn()
    if (next === facts.length && pieces > 0 && this.#nothings === pieces) return this.#nothing(previous)
    const byModel = this.#shown.size > 0 && !this.#failed
    if (next < facts.length || soFar === undefined) soFar = await this.#byRule(facts.slice(next), soFar)
    const text =
      byModel || this.#shown.size > 0
        ? await auditSummary({
            text: inSections(soFar),
            facts,
            previous,
            instruction: this.#env.instruction,
            cap: this.#cap,
            count: this.#count,
            pause: this.#pause,
          })
        : soFar
    return {
      text,
      by: byModel ? 'model' : 'extractive',
      calls: this.#calls,
      failures: this.#failures,
      shown: this.#shown,
      ...(this.#shown.size > 0 && this.#model !== undefined && { model: this.#model }),
    }
  }

  /** The short summary by rule that stands in view where the model found nothing. */
  async #nothing(previous: string | undefined): Promise<Summary> {
    const cap = Math.min(this.#cap, nothingCap + (previous === undefined ? 0 : this.#count(previous)))
    const text = await this.#byRule(this.#input.facts, previous, cap)
    return { text, by: 'extractive', calls: this.#calls, failures: this.#failures, shown: this.#shown, nothing: true }
  }

  /**
   * One valid answer about a piece, after at most one retry; `nothingToKeep` where it says so; undefined where there is
   * none or no more may be asked.
   */
  async #asked(piece: Piece, soFar: string | undefined): Promise<string | undefined> {
    let fault: string | undefined
    for (let attempt = 0; attempt < 2; attempt++) {
      this.#mustGoOn()
      if (this.#calls >= mostCalls || this.#env.now() - this.#startedAt >= mostMs) return undefined
      const prompt = this.#prompt(piece.text, soFar, piece.number, fault)
      this.#calls++
      const answer = await this.#answer(prompt)
      if (typeof answer !== 'string') {
        const text = withoutThinking(answer.text)
        if (this.#input.mayBeNothing === true && answer.finish === 'stop' && saysNothing(text)) {
          this.#nothings++
          return nothingToKeep
        }
        // A summary of a first piece is checked against the whole that it will stand for.
        fault = summaryFault(
          { raw: answer.text, text, finish: answer.finish },
          { cap: this.#cap, replaces: this.#input.replaces, count: this.#count },
        )
        if (fault === undefined) {
          this.#model = answer.model ?? this.#env.askModel
          return inSections(text)
        }
      } else fault = answer
      this.#failures.push(fault)
    }
    this.#failed = true
    return undefined
  }

  async #answer(prompt: ReturnType<typeof summaryPrompt>) {
    const { ask, askWindow, signal } = this.#env
    if (ask === undefined) return 'no model may be asked'
    // Room for a model that thinks first; never more than what 60 % of input leave.
    const maxTokens = Math.max(64, Math.min(Math.max(this.#askedCap * 2, 1_024), Math.floor(askWindow * 0.35)))
    try {
      return await ask(prompt, { maxTokens, signal, until: this.#startedAt + mostMs })
    } catch (thrown) {
      this.#mustGoOn()
      if (thrown instanceof AgentError && thrown.code === 'stopped') throw thrown
      return `the model failed: ${(thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 200)}`
    }
  }

  #prompt(conversation: string, previous: string | undefined, piece: number | undefined, fault?: string) {
    const { language, instruction } = this.#env
    return summaryPrompt({
      language,
      conversation,
      cap: this.#askedCap,
      least: Math.floor(Math.min(this.#askedCap * leastShare, this.#input.replaces * leastOfReplaced)),
      ...(this.#input.mayBeNothing === true && { mayBeNothing: true }),
      ...(previous !== undefined && { previous }),
      ...(instruction !== undefined && { instruction }),
      ...(piece !== undefined && { piece }),
      ...(fault !== undefined && { fault }),
    })
  }

  /** Tokens that a conversation block may have beside this summary so far; a retry's fault is allowed for. */
  #room(soFar: string | undefined): number {
    const bare = this.#prompt('', soFar, 9, 'x'.repeat(200))
    const used =
      this.#count(bare.system) + bare.messages.reduce((sum, message) => sum + this.#env.counter.message(message), 0)
    return Math.floor(this.#env.askWindow * inputShare) - used - 8
  }

  /**
   * As many facts as fit the room, from `from` on; at least one, shrunk until it fits. Undefined where nothing can fit.
   */
  #pieceFrom(from: number, soFar: string | undefined): Piece | undefined {
    const { facts } = this.#input
    const room = this.#room(soFar)
    if (room < leastRoom) {
      this.#failures.push(`the summariser's window of ${this.#env.askWindow} tokens has no room for the conversation`)
      this.#failed = true
      return undefined
    }
    const parts: string[] = []
    let used = 0
    let to = from
    for (; to < facts.length; to++) {
      const fact = facts[to]
      if (fact === undefined) break
      let text = serialiseFact(fact)
      let tokens = this.#count(text) + 1
      if (used + tokens > room && parts.length > 0) break
      for (let limit = blockLimit / 2; tokens > room && limit >= 8; limit = Math.floor(limit / 2)) {
        text = serialiseFact(fact, limit)
        tokens = this.#count(text) + 1
      }
      if (tokens > room) {
        // many calls in one fact
        text = text.slice(0, Math.max(1, Math.floor((text.length * room) / tokens / 2)))
        tokens = this.#count(text) + 1
      }
      if (text !== '') parts.push(text)
      used += tokens
    }
    const whole = from === 0 && to === facts.length
    return { text: parts.join('\n\n'), to, ...(!whole && { number: this.#calls + 1 }) }
  }

  /**
   * The first fact that the model can still be shown within its calls. Sizes are guessed from lengths: counting all
   * would cost more than it saves.
   */
  #firstForModel(soFar: string | undefined): number {
    const { facts } = this.#input
    const room = Math.min(this.#room(soFar), this.#room(undefined) - this.#askedCap)
    if (room < leastRoom) return 0
    let left = room * (mostCalls - spareCalls) * 0.8
    for (let index = facts.length - 1; index >= 0; index--) {
      const fact = facts[index]
      if (fact === undefined) continue
      left -= guessed(fact)
      if (left < 0) return index + 1 < facts.length ? index + 1 : index
    }
    return 0
  }

  async #byRule(facts: readonly FactEntry[], previous: string | undefined, cap = this.#cap): Promise<string> {
    return extract({ facts, cap, count: this.#count, ...(previous !== undefined && { previous }), pause: this.#pause })
  }

  readonly #pause = async (): Promise<void> => {
    await this.#env.pause?.()
    this.#mustGoOn()
  }

  #mustGoOn(): void {
    if (this.#env.signal.aborted) throw new AgentError('stopped', 'The summary was stopped')
  }
}

/** Facts up to `to` (exclusive) as one block of conversation. */
type Piece = { text: string; to: number; number?: number }

/** Tokens of a serialised fact, roughly: a quarter of its letters, all of them where they are not Latin. */
function guessed(fact: FactEntry): number {
  const blocks = [fact.text, ...(fact.type === 'assistant' ? fact.calls.map(call => call.arguments) : [])]
  let tokens = 12
  for (const block of blocks) {
    const length = Math.min(block.length, blockLimit)
    tokens += length / (/[\u0300-\uffff]/.test(block.slice(0, 200)) ? 1 : 4)
  }
  return tokens
}
