/** Random logs: sound ones as the app writes them, and torn ones as a hostile file may hold. */
import fc from 'fast-check'
import { anyText } from '../text/laws.fixture.ts'
import { shortenReasons } from './entry.ts'
import type { AssistantFact, Entry, Id, Log, NewEntry } from './entry.ts'
import type { ToolCall } from './message.ts'

/** What one step of a conversation may be; numbers pick a target among what is there. */
type Move =
  | { do: 'ask' | 'say' | 'gone'; text: string }
  | { do: 'call'; text: string; ids: string[]; args: string; answered: boolean[]; pick: number }
  | {
      do: 'shorten' | 'strip' | 'cut' | 'pin' | 'undo' | 'summary' | 'result' | 'aside'
      pick: number
      text: string
      flag: boolean
      size: number
    }

const pick = fc.nat(1_000)
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('ask' as const, 'say' as const, 'gone' as const, 'ask' as const, 'say' as const),
      text: anyText,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      text: anyText,
      ids: fc.array(fc.constantFrom('0', '1', '2', 'call_a'), { minLength: 1, maxLength: 4 }),
      args: fc.oneof(
        fc.constant('{}'),
        anyText.map(text => JSON.stringify({ text, list: [text, 1.5, null], [text]: true })),
        anyText,
      ),
      answered: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      pick,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'shorten' as const,
        'strip' as const,
        'cut' as const,
        'pin' as const,
        'undo' as const,
        'summary' as const,
        'result' as const,
        'aside' as const,
      ),
      pick,
      text: anyText,
      flag: fc.boolean(),
      size: fc.nat(200),
    }),
  },
)

/**
 * A log of any moves: calls without results, results without calls, ids that come again, edits that name nothing
 * useful.
 */
export const anyLog: fc.Arbitrary<Log> = fc.array(move, { maxLength: 30 }).map(moves => {
  const log: Entry[] = []
  const add = (entry: NewEntry & { gone?: Entry['gone'] }): Id => {
    const id = `e${log.length}`
    log.push({ ...entry, id, parent: log.at(-1)?.id ?? null, at: 1_772_359_200_000 + log.length * 3_600_000 })
    return id
  }
  const at = (number: number): Entry | undefined => log[number % Math.max(1, log.length)]
  for (const it of moves) play(it, add, at, log)
  return log
})

/**
 * Reasoning and details of three origins, some or none. A detail says where it came from, so that a test can look for
 * it anywhere.
 */
function thoughtsOf(
  seed: number,
  text: string,
  ids: readonly string[] = [],
): Pick<AssistantFact, 'reasoning' | 'details'> {
  const from = ['A', 'B', ''][seed % 3]!
  const signed = ids.map(id => ({ id, extra_content: { google: { thought_signature: `secret-${from}` } } }))
  const value =
    seed % 2 === 0
      ? [
          { type: 'thinking', index: 0, thinking: text, signature: `secret-${from}` },
          { type: 'redacted_thinking', index: 1, data: `secret-${from}` },
          ...signed,
        ]
      : signed
  return { ...(seed % 5 === 0 ? {} : { reasoning: text }), ...(seed % 7 < 4 ? { details: { from, value } } : {}) }
}

function play(
  it: Move,
  add: (entry: NewEntry & { gone?: Entry['gone'] }) => Id,
  at: (number: number) => Entry | undefined,
  log: readonly Entry[],
): void {
  const group = `g${log.length}`
  switch (it.do) {
    case 'ask':
      add({
        type: 'user',
        text: it.text,
        ...(it.text.length % 7 === 0
          ? { attachments: [{ name: it.text, mime: 'image/png', bytes: 3, blob: 'b1' }] }
          : {}),
      })
      return
    case 'say':
      add({
        type: 'assistant',
        text: it.text,
        ...thoughtsOf(log.length, it.text),
        calls: [],
        model: 'm',
        local: it.text.length % 2 === 0,
        stop: it.text.length % 3 === 0 ? 'length' : 'stop',
      })
      return
    case 'gone':
      add({ type: 'user', text: '', gone: { bytes: 9, day: '2026-03-09', why: it.text } })
      return
    case 'call': {
      const calls: ToolCall[] = it.ids.map(id => ({ id, name: 'look', arguments: it.args }))
      add({
        type: 'assistant',
        text: it.text,
        ...thoughtsOf(it.pick, it.text, it.ids),
        calls,
        model: '',
        local: false,
        stop: 'calls',
        usage: { input: 3, output: it.pick },
      })
      it.ids.forEach((callId, i) => {
        if (it.answered[i]) add({ type: 'result', callId, tool: 'look', text: it.text + callId, isError: i === 1 })
      })
      return
    }
    case 'result':
      add({ type: 'result', callId: String(it.pick % 3), tool: '', text: it.text, isError: it.flag })
      return
    case 'aside':
      add(
        it.flag
          ? { type: 'note', code: 'command', text: it.text, data: { [it.text]: it.size } }
          : {
              type: 'memory',
              text: it.text,
              supersedes: at(it.pick)?.id ?? 'x',
              ...(it.size % 2 === 0 ? { reason: 'overflow' as const } : {}),
              ...(it.size % 3 === 0 ? { since: at(it.size)?.id ?? 'x' } : {}),
            },
      )
      return
    case 'shorten':
      add({
        type: 'shorten',
        group,
        target: at(it.pick)?.id ?? 'x',
        keep: it.size,
        unit: it.flag ? 'bytes' : 'chars',
        headShare: it.size % 101,
        path: `tool_result/${at(it.pick)?.id ?? 'x'}.txt`,
        ...(it.pick % 2 === 0 ? { part: 'arguments' as const } : { reason: shortenReasons[it.size % 4] ?? 'used' }),
      })
      return
    case 'strip':
      add({ type: 'strip', group, before: it.flag ? (at(it.pick)?.id ?? 'x') : null })
      return
    case 'cut':
      add({
        type: 'cut',
        group,
        before: it.pick % 5 === 0 ? null : (at(it.pick)?.id ?? 'x'),
        reason: it.flag ? 'compact' : 'clear',
        ...(it.flag ? { pin: at(it.size)?.id ?? 'x' } : {}),
      })
      return
    case 'pin':
      add({ type: 'pin', group, target: at(it.pick)?.id ?? 'x', on: it.flag || it.size > 50 })
      return
    case 'undo': {
      const edits = log.flatMap(entry => ('group' in entry ? [entry.group] : []))
      add({
        type: 'undo',
        group,
        target: edits[it.pick % Math.max(1, edits.length)] ?? 'x',
        ...(it.flag ? { by: 'ladder' as const } : it.size > 50 ? { act: true as const } : {}),
      })
      return
    }
    case 'summary': {
      const cut = log.findLast(entry => entry.type === 'cut')
      add({
        type: 'summary',
        group,
        of: cut?.id ?? 'x',
        text: it.text,
        by: it.flag ? 'model' : 'person',
        place: it.size % 2 === 0 ? 'own message' : 'first question',
        guide: [{ path: 'dialog/2026-03-01.jsonl', from: 1, to: it.size }],
        covers: { first: 'e0', last: 'e1' },
        stats: {
          entries: 1,
          before: 2,
          after: 1,
          ms: 5,
          ...(it.size % 3 === 0 ? { unfollowed: true as const } : {}),
          ...(it.size % 3 === 1 ? { asked: 'agent' as const } : {}),
        },
      })
      return
    }
    default:
      it satisfies never
  }
}
