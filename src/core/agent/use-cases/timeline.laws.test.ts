/** The timeline against what the model's view holds, for random lives under every strategy. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Chat } from '../../context/chat.fixture.ts'
import { anyLife, playMove, type Life } from '../../context/life.fixture.ts'
import { cutPoint } from '../../context/size/cut-point.ts'
import { requestSize, weighedFacts } from '../../context/size/measure.ts'
import { compactNow } from '../../context/steps/compact.ts'
import { runPipeline } from '../../context/run-pipeline.ts'
import { strategyNames, type StrategyName } from '../../context/strategy.ts'
import type { Entry, FactEntry, Id, Log } from '../../log/entry.ts'
import { modelView, type ViewMessage } from '../../log/model-view/model-view.ts'
import { anyLog } from '../../log/random-log.fixture.ts'
import { effectiveEdits, effectiveSummary, isEdit, isFact, pinnedFacts } from '../../log/query.ts'
import { runs } from '../../text/laws.fixture.ts'
import { isPinnedMark, isSentMark, sendingOfMark, speakerOfMark, type Timeline } from '../api/timeline.ts'
import { describeMessage } from './timeline-api.ts'
import { timelineOf } from './timeline.ts'

const { numRuns } = runs(20)
const { seed } = fc.readConfigureGlobal()
/** A law over lives in which nothing happens would say nothing. */
const seen = { whole: 0, shortened: 0, summarised: 0, unsent: 0, pinned: 0, compacted: 0, putBack: 0, chained: 0 }

/** Whether a message says all that its fact does. */
function isWhole(fact: FactEntry, { message }: ViewMessage): boolean {
  if (fact.gone !== undefined || fact.rest !== undefined) return false
  // a summary may stand in front of a question, and a line that tells how to read on behind a page
  if (fact.type === 'user') return message.content.endsWith(fact.text)
  if (fact.type === 'result') return message.content.startsWith(fact.text)
  return (
    message.role === 'assistant' &&
    message.content === fact.text &&
    JSON.stringify(message.toolCalls ?? []) === JSON.stringify(fact.calls)
  )
}

function holds(log: Log, made: Timeline, duplicates = false): void {
  const view = modelView(structuredClone(log))
  const sent = new Map<Id, ViewMessage>()
  for (const one of view)
    if (one.kind === 'fact' && one.entry !== null && !sent.has(one.entry)) sent.set(one.entry, one)
  const entries = log.filter((entry): entry is Exclude<Entry, { group: Id }> => !isEdit(entry))
  expect(made.tokens).toHaveLength(entries.length)
  expect(made.marks).toHaveLength(entries.length)
  const pins = pinnedFacts(effectiveEdits(log))
  for (const [i, entry] of entries.entries()) {
    const mark = made.marks[i]!
    const sending = sendingOfMark(mark)
    const who =
      entry.type === 'user'
        ? 'person'
        : entry.type === 'assistant'
          ? 'assistant'
          : entry.type === 'result'
            ? 'tool'
            : 'note'
    expect(speakerOfMark(mark)).toBe(who)
    if (!isFact(entry)) {
      expect([sending, made.tokens[i]]).toEqual(['unsent', 0])
      continue
    }
    const one = sent.get(entry.id)
    expect(isSentMark(mark)).toBe(one !== undefined)
    if (one !== undefined && !duplicates) expect(sending).toBe(isWhole(entry, one) ? 'whole' : 'shortened')
    expect(isPinnedMark(mark)).toBe(one !== undefined && pins.has(entry.id))
    seen[sending]++
    if (isPinnedMark(mark)) seen.pinned++
  }
}

/** What the summary in view tells: all that it can, and nothing that a clear took away. */
function summaryHolds(log: Log, made: Timeline): void {
  const summary = effectiveSummary(log)
  const facts = log.filter(entry => !isEdit(entry))
  const told = facts.filter((_, i) => sendingOfMark(made.marks[i]!) === 'summarised')
  expect(made.summary?.entry).toBe(summary?.id)
  if (summary === null) {
    expect(told).toEqual([])
    return
  }
  const place = (id: Id) => log.findIndex(entry => entry.id === id)
  const clear = effectiveEdits(log).findLast(edit => edit.type === 'cut' && edit.reason === 'clear')
  const cleared = clear === undefined ? -1 : place(clear.id)
  for (const fact of told) expect(log.indexOf(fact)).toBeGreaterThan(cleared)
  const [first, last] = [place(summary.covers.first), place(summary.covers.last)]
  for (const [i, entry] of facts.entries()) {
    const at = log.indexOf(entry)
    const sending = sendingOfMark(made.marks[i]!)
    if (isFact(entry) && at >= first && at <= last) expect(sending).not.toBe('unsent')
    if (sending === 'summarised' && at < first) seen.chained++
  }
}

/** Each stop is where a compaction that keeps so many tokens cuts, and what the marks say stays is what stays. */
async function stopsHold(chat: Chat, made: Timeline): Promise<void> {
  const env = { ...chat.env('onCall'), forced: true }
  const { ask: _, ...byRule } = env
  const { facts, ids } = weighedFacts(requestSize(chat.log, env))
  const entries = chat.log.filter(entry => !isEdit(entry))
  for (const [i, keeps] of made.keeps.entries()) {
    const stop = entries[made.stops[i]!]
    expect(ids[cutPoint(facts, keeps)!.before]).toBe(stop?.id)
    expect(timelineOf(chat.log, { env, strategy: chat.strategy, keep: keeps }).border).toBe(i)
  }
  const middle = Math.floor(made.stops.length / 2)
  if (made.stops.length === 0) return
  const added = await runPipeline(chat.log, [compactNow(chat.strategy, made.keeps[middle])], byRule)
  const cut = added.find(entry => entry.type === 'cut')
  if (cut === undefined) return
  expect(cut.type === 'cut' && cut.before).toBe(entries[made.stops[middle]!]?.id)
  seen.compacted++
}

/** Undoing the act that a message names brings it back, if nothing else has changed since. */
function puttingBackHolds(chat: Chat, made: Timeline): void {
  const env = chat.env('onCall')
  const entries = chat.log.filter(entry => !isEdit(entry))
  for (let i = 0; i < entries.length; i += Math.max(1, Math.floor(entries.length / 6))) {
    const told = describeMessage(chat.log, entries[i]!, env)
    expect({
      ...told,
      sending: told.sending,
      speaker: told.speaker,
      tokens: told.tokens,
      pinned: told.pinned,
    }).toMatchObject({
      entry: entries[i]!.id,
      sending: sendingOfMark(made.marks[i]!),
      speaker: speakerOfMark(made.marks[i]!),
      tokens: made.tokens[i]!,
      pinned: isPinnedMark(made.marks[i]!),
    })
    if (told.group === undefined || isSentMark(made.marks[i]!)) continue
    const undone: Log = [
      ...chat.log,
      { type: 'undo', target: told.group, group: 'undo', id: 'undo', parent: null, at: 0 },
    ]
    const view = modelView(undone).map(({ entry }) => entry)
    // an older strip may still leave of its turn only the question and the last answer
    const stripped = effectiveEdits(undone).some(edit => edit.type === 'strip')
    const repaired = entries[i]!.type !== 'user'
    if (!stripped && !repaired) expect(view).toContain(told.entry)
    seen.putBack++
  }
}

/** A few lives may have no pin that the model still sees: one has. */
const turn = (question: number) => ({ do: 'turn' as const, question, steps: [], answer: 2_000, asked: false })
const pinnedLife: Life = {
  window: 4_096,
  summariser: 'good',
  system: 100,
  moves: [turn(400), turn(4_000), { do: 'pin', at: 1, on: true }, { do: 'compact' }, turn(6_000), { do: 'compact' }],
}

async function liveThrough(strategy: StrategyName, { window, summariser, system, moves }: Life) {
  const chat = new Chat(strategy, window, {
    agent_max_context_turns: 3,
    enable_tool_result_compact: true,
    tool_result_compact_keep_n: 2,
  })
  chat.summariser = summariser
  chat.system = 'system '.repeat(Math.ceil(system / 7))
  for (const [n, move] of moves.entries()) {
    await playMove(chat, move, n, { call: (chat, _, first) => chat.beforeCall(first), opened: async () => undefined })
    const made = timelineOf(chat.log, { env: chat.env('onCall'), strategy: chat.strategy })
    holds(chat.log, made)
    summaryHolds(chat.log, made)
    puttingBackHolds(chat, made)
    if (n === moves.length - 1) await stopsHold(chat, made)
  }
}

for (const name of strategyNames)
  it(
    `says of each message what the view holds, under ${name} (seed ${seed})`,
    { timeout: 300_000 + numRuns * 500 },
    async () => {
      await fc.assert(
        fc.asyncProperty(anyLife, life => liveThrough(name, life)),
        { numRuns, endOnFailure: process.env['HAVERSACK_SHRINK'] === undefined, examples: [[pinnedLife]] },
      )
    },
  )

it('has lived through all that it says', () => {
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
})

it('says of any log, whole or torn, which of its messages are sent', () => {
  const chat = new Chat('balanced', 16_384)
  fc.assert(
    fc.property(anyLog, log => {
      const ids = log.map(({ id }) => id)
      const duplicates = new Set(ids).size < ids.length
      holds(log, timelineOf(log, { env: chat.env('onCall'), strategy: chat.strategy }), duplicates)
    }),
    runs(200),
  )
})
