/** Logs and environments for tests of the context engine. */
import { byScript, bytesOver, type Counter } from '../log/counter.ts'
import type { Entry, Fact, Log, NewEntry } from '../log/entry.ts'
import type { AskSummariser, EntryDraft, StepEnv } from './strategy.ts'
import { completeDrafts } from './run-pipeline.ts'

/** A second after the other, from a fixed moment on. */
export function testClock(): { now: () => number; newId: () => string } {
  let ms = Date.UTC(2026, 2, 2, 12)
  return { now: () => (ms += 1_000), newId: () => `n${++ids}` }
}
let ids = 0 // no id comes twice in one log, however many environments worked on it

export function testLog(drafts: readonly (EntryDraft | NewEntry)[], before: Log = []): Entry[] {
  let n = before.length
  return [
    ...before,
    ...completeDrafts(drafts, before, { now: () => Date.UTC(2026, 2, 2, 12) + n * 1_000, newId: () => `e${n++}` }),
  ]
}

export function userFactOf(text: string, images = 0): Fact {
  return {
    type: 'user',
    text,
    ...(images > 0 && {
      attachments: Array.from({ length: images }, (_, i) => ({
        name: `${i}.png`,
        mime: 'image/png',
        bytes: 1,
        blob: `b${i}`,
      })),
    }),
  }
}
export function assistantFact(
  text: string,
  calls: readonly (readonly [id: string, name: string, args: string])[] = [],
): Fact {
  return {
    type: 'assistant',
    text,
    calls: calls.map(([id, name, args]) => ({ id, name, arguments: args })),
    model: 'm',
    local: false,
    stop: calls.length > 0 ? 'calls' : 'stop',
  }
}
export function resultFact(callId: string, text: string, tool = 'web'): Fact {
  return { type: 'result', callId, tool, text, isError: false }
}

export type TestEnvChanges = Partial<Omit<StepEnv, 'counter'>> & { counter?: Counter }

export function testEnv(changes: TestEnvChanges = {}): StepEnv {
  const { now, newId } = testClock()
  const contextWindow = changes.contextWindow ?? 131_072
  return {
    moment: 'onCall',
    contextWindow,
    outputReserve: Math.min(8_192, Math.floor(contextWindow / 5)),
    local: false,
    system: '',
    tools: [],
    rereadableTools: new Set(['read_file']),
    counter: bytesOver(4),
    askWindow: contextWindow,
    askModel: 'summariser',
    language: 'en',
    signal: new AbortController().signal,
    place: () => ({ day: '2026-03-02', line: 1, session: 's', ownLine: 1 }),
    newId,
    now,
    group: 'g',
    ...changes,
  }
}

export const cowCounter = byScript()

/** A summariser that reads its lines, then repeats the last one. */
export function scriptedSummariser(...answers: (string | Error)[]): { ask: AskSummariser; calls: () => number } {
  let calls = 0
  return {
    calls: () => calls,
    ask: () => {
      const answer = answers[Math.min(calls++, answers.length - 1)]
      return answer === undefined || answer instanceof Error
        ? Promise.reject(answer ?? new Error('no answer'))
        : Promise.resolve({ text: answer, finish: 'stop' })
    },
  }
}

export const goodSummary =
  '## Goal\nTend the garden.\n\n## Constraints & Preferences\n- no fences\n\n## Progress\n### Done\n- [x] beds dug\n### In Progress\n### Blocked\n\n' +
  '## Key Decisions\n- roses\n\n## Next Steps\n1. water\n\n## Critical Context\n- the gate is shut'
