/** One real session under one strategy and window, as the app would have run it: what its last request holds. */
import { defaultsOf } from '../../src/core/context/config/config.ts'
import { inputBudget } from '../../src/core/context/size/input-budget.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import { strategyNames, type StrategyName } from '../../src/core/context/strategy.ts'
import { toolsWithReadOnLine } from '../../src/core/agent/tools/index.ts'
import type { Entry, Log } from '../../src/core/log/entry.ts'
import { modelView } from '../../src/core/log/model-view/model-view.ts'
import { bpe } from '../../src/core/log/counter.ts'
import type { Message } from '../../src/core/log/message.ts'
import { storedSummary } from '../../src/core/log/query.ts'
import type { FiledFact } from '../replay/replay-file.ts'
import { replay, type Replayed } from '../replay/replay-run.ts'

export type Setting = { strategy: StrategyName; exact: boolean; window: number /* tokens */ }

export type MeasuredSession = {
  replayed: Replayed
  counter: string
  /** All that the model would read, calls included. */
  view: string
  /** The newest stored summary alone; empty where there is none. */
  summary: string
  viewTokens: number // o200k, each message with its frame (C1.4)
  summaryTokens: number // o200k
  /** The largest request that was sent, as a share of the window without the output reserve. */
  largest: number
  refused: number
  /** Of each of the moments asked for: how much of its names stood in the request. */
  along: number[]
}

/** The settings to measure, per window: each strategy with the app's counter, the exact one beside bytes / 4. */
export function settings(windows: readonly number[]): Setting[] {
  return windows.flatMap(window =>
    strategyNames.flatMap(strategy =>
      strategies[strategy](defaultsOf(strategy)).counter === 'bpe'
        ? [
            { strategy, exact: true, window },
            { strategy, exact: false, window },
          ]
        : [{ strategy, exact: true, window }],
    ),
  )
}

/**
 * Replays the facts with guard and overflow fallback; summaries are made by rule. `count`: exact tokens of a text.
 * `asked`: a question comes next. A summary that stands in front of a question waits for it (C2.5).
 */
export async function measuredSession(
  facts: readonly FiledFact[],
  { strategy, exact, window }: Setting,
  {
    count,
    asked,
    moments = new Map(),
  }: { count: (text: string) => number; asked: boolean; moments?: ReadonlyMap<number, readonly string[]> },
): Promise<MeasuredSession> {
  const along: number[] = []
  const replayed = await replay(facts, {
    strategy: strategies[strategy](defaultsOf(strategy)),
    countsExactly: exact,
    window,
    system: '',
    script: [],
    guard: true,
    onRequest(beforeSeq, { parts }) {
      const names = moments.get(beforeSeq)
      if (names === undefined) return
      const text = textsIn(parts.map(part => part.view.message)).replaceAll('\\n', '\n')
      along.push(names.filter(name => text.includes(name)).length / names.length)
    },
  })
  const { size, log, calls, counter } = replayed
  const messages = asked
    ? modelView([...log, nextQuestion(log)], { toolsWithReadOnLine }).map(({ message }) => message)
    : size.parts.map(part => part.view.message)
  const view = textsIn(messages)
  const summary = storedSummary(log)?.text ?? ''
  return {
    replayed,
    counter: counter.name,
    view,
    summary,
    viewTokens: messages.reduce((sum, message) => sum + bpe(count).message(message), 0),
    summaryTokens: count(summary),
    largest: Math.max(0, ...calls.filter(call => !call.refused).map(call => call.tokens / inputBudget(window))),
    refused: calls.filter(call => call.refused).length,
    along,
  }
}

function textsIn(messages: readonly Message[]): string {
  return messages
    .flatMap(message => [
      message.content,
      ...(message.role === 'assistant' ? (message.toolCalls ?? []).map(call => call.arguments) : []),
    ])
    .join('\n')
}

function nextQuestion(log: Log): Entry {
  const last = log.at(-1)
  return { type: 'user', text: 'And now?', id: 'next', parent: last?.id ?? null, at: last?.at ?? 0 }
}

export type Share = { found: number; of: number; share: number }

export function shareOf(found: number, of: number): Share {
  return { found, of, share: of === 0 ? 0 : rounded(found / of) }
}

export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

export function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
