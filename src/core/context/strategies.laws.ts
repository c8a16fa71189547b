/** What must hold for every strategy, whatever is said, undone, broken or switched. Each law gets random chats. */
import fc from 'fast-check'
import type { FactEntry, Id, Log } from '../log/entry.ts'
import { modelView, type ViewMessage } from '../log/model-view.ts'
import { boundaryOf, isEdit, isFact, openQuestion, standingSummary, undoTarget } from '../log/query.ts'
import { Chat, reread, summarisers, type Summariser } from './chat.fixture.ts'
import { assistant, result, user } from './context.fixture.ts'
import { prepare } from './prepare.ts'
import type { StrategyName } from './strategy.ts'

/** One thing that happens in a chat. */
type Move =
  | { do: 'turn'; question: number; steps: Step[]; answer: number; asked: boolean }
  | { do: 'undo' | 'redo' | 'compact' | 'clear' | 'reload' | 'open' | 'late' | 'orphan' }
  | { do: 'crash'; lost: number }
  | { do: 'pin'; at: number; on: boolean }
  | { do: 'strategy'; to: StrategyName }
  | { do: 'window'; to: number }
  | { do: 'summariser'; to: Summariser }
  | { do: 'local'; to: boolean }
type Step = { text: number; args: number; results: number[]; missing: boolean; ids: 'again' | 'new'; tool: string }

/** Sizes in characters: mostly small, some that fill a window, a few above what an entry keeps. */
const size = fc.oneof({ weight: 60, arbitrary: fc.nat(300) }, { weight: 24, arbitrary: fc.nat(5_000) }, { weight: 4, arbitrary: fc.constant(22_000) }, { weight: 1, arbitrary: fc.constant(140_000) })
const step: fc.Arbitrary<Step> = fc.record({
  text: fc.oneof(fc.constant(0), size), args: size, results: fc.array(size, { minLength: 1, maxLength: 3 }),
  missing: fc.boolean(), ids: fc.constantFrom('again' as const, 'new' as const), tool: fc.constantFrom('web', 'read_file', 'look'),
})
const windows = [1_024, 4_096, 4_096, 16_384, 16_384, 131_072, 1_000_000]
const names: StrategyName[] = ['cowagent', 'copaw', 'qwenpaw', 'balanced']

const turn = fc.record({ do: fc.constant('turn' as const), question: size, steps: fc.array(step, { maxLength: 4 }), answer: size, asked: fc.boolean() })
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 14, arbitrary: turn },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'undo' as const, 'redo' as const, 'compact' as const, 'clear' as const, 'reload' as const, 'open' as const, 'late' as const, 'orphan' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), lost: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), at: fc.nat(100), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('strategy' as const), to: fc.constantFrom(...names) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('window' as const), to: fc.constantFrom(...windows) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('summariser' as const), to: fc.constantFrom(...summarisers) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('local' as const), to: fc.boolean() }) },
)

export type Life = { window: number; summariser: Summariser; system: number; moves: Move[] }
/** A chat's life; some system prompts are above the window. */
export const anyLife: fc.Arbitrary<Life> = fc.record({
  window: fc.constantFrom(...windows), summariser: fc.constantFrom(...summarisers),
  system: fc.oneof({ weight: 9, arbitrary: fc.nat(600) }, { weight: 1, arbitrary: fc.constant(8_000) }),
  moves: fc.array(move, { minLength: 1, maxLength: 12 }),
})

/** Lives through it and looks after each move. Throws where a law is broken. */
export async function live(strategy: StrategyName, life: Life): Promise<void> {
  const chat = new Chat(strategy, life.window, { agent_max_context_turns: 3, enable_tool_result_compact: true, tool_result_compact_keep_n: 2 })
  chat.summariser = life.summariser
  chat.system = words(life.system, 'system ')
  for (const [n, it] of life.moves.entries()) {
    const before = chat.log
    await play(chat, it, n)
    if (it.do !== 'crash' && it.do !== 'reload') growsOnly(before, chat.log)
    isLegal(modelView(chat.log))
    stepsHaveTheirQuestion(chat.log)
    if (it.do === 'reload' || it.do === 'undo') sameAfterReload(chat.log)
    await undoneStaysUndone(chat, before)
  }
  await chat.late()
  sameAfterReload(chat.log)
  isReachable(chat)
  undoOfEverything(chat)
}

async function play(chat: Chat, it: Move, n: number): Promise<void> {
  switch (it.do) {
    case 'turn': return playTurn(chat, it, n)
    case 'undo': chat.undo(); return
    case 'redo': chat.redo(); return
    case 'compact': return chat.compactByHand()
    case 'clear': chat.add({ type: 'cut', group: chat.newId(), before: null, reason: 'clear' }); return
    case 'reload': chat.reload(); return
    case 'open': {
      await chat.moment('onOpen')
      law((await prepare(chat.log, chat.strategy.onOpen ?? [], chat.env('onOpen'))).length === 0, 'opening again adds something')
      return
    }
    case 'late': return chat.late(1)
    case 'orphan': chat.say(result('nobody asked', words(50, 'orphan '))); return
    case 'crash': chat.crash(it.lost); return
    case 'pin': {
      const facts = chat.log.filter(isFact)
      const fact = facts[it.at % Math.max(1, facts.length)]
      if (fact !== undefined) chat.add({ type: 'pin', group: chat.newId(), target: fact.id, on: it.on })
      return
    }
    case 'strategy': chat.strategyName = it.to; return
    case 'window': chat.window = it.to; return
    case 'summariser': chat.summariser = it.to; return
    case 'local': chat.local = it.to; return
    default: it satisfies never
  }
}

async function playTurn(chat: Chat, { question, steps, answer, asked }: Move & { do: 'turn' }, n: number): Promise<void> {
  const { id } = chat.say(user(words(question, `question ${n} `)))
  for (const [s, { text, args, results, missing, ids, tool }] of steps.entries()) {
    if (!await call(chat, id, s === 0)) return
    const calls = results.map((_, c) => [ids === 'again' ? `call_${c}` : `call_${n}_${s}_${c}`, tool, JSON.stringify({ path: words(args, 'argument ') })] as const)
    chat.say(assistant(words(text, `thought ${n}.${s} `), calls))
    for (const [c, length] of results.entries()) {
      if (missing && c === results.length - 1 && s === steps.length - 1) continue // it was stopped
      chat.say(result(calls[c]?.[0] ?? '', words(length, `row ${n}.${s}.${c} `), tool))
      await chat.moment('onResult')
    }
    if (missing && s === steps.length - 1) return
  }
  if (!asked || !await call(chat, id, steps.length === 0)) return
  chat.say(assistant(words(answer, `answer ${n} `)))
  await chat.moment('onAnswer')
  await chat.late(1)
}

/** The request in front of a model call keeps the laws of requests. */
async function call(chat: Chat, question: Id, first: boolean): Promise<boolean> {
  const grown = chat.log
  const fits = await chat.beforeCall(first)
  growsOnly(grown, chat.log)
  const again = await prepare(chat.log, chat.strategy.onCall ?? [], chat.env('onCall'))
  law(again.length === 0, `asking again adds ${again.map(entry => entry.type).join(', ')}`)
  if (first) law((await prepare(chat.log, chat.strategy.onTurn ?? [], chat.env('onTurn'))).length === 0, 'the moment of the turn adds something again')
  const view = modelView(chat.log)
  isLegal(view)
  law(openQuestion(chat.log)?.id === question, 'the turn is not open')
  law(view.some(({ entry }) => entry === question), 'the running question is not sent')
  return fits
}

function growsOnly(before: Log, after: Log): void {
  law(after.length >= before.length && before.every((entry, at) => after[at] === entry), 'an earlier entry has changed')
  for (const [at, entry] of after.entries()) law(entry.parent === (after[at - 1]?.id ?? null), 'an entry has another parent than the one before it')
}

/** Every result behind its call, every call with its result, in the same block. */
function isLegal(view: readonly ViewMessage[]): void {
  let open: string[] = []
  for (const { message } of view) {
    if (message.role === 'tool') {
      const at = open.indexOf(message.toolCallId)
      law(at >= 0, 'a result without its call is sent')
      open.splice(at, 1)
      continue
    }
    law(open.length === 0, 'a call without its result is sent')
    open = message.role === 'assistant' ? (message.toolCalls ?? []).map(made => made.id) : []
    law(new Set(open).size === open.length, 'an id comes twice in one answer')
  }
  law(open.length === 0, 'a call without its result is sent last')
}

/** Every chat here begins with a question, so what is sent does too, but for what a person pinned (C4.5). */
function stepsHaveTheirQuestion(log: Log): void {
  const view = modelView(log).filter(({ kind }) => kind !== 'summary')
  if (view.some(({ pinned }) => pinned)) return
  law(view[0] === undefined || view[0].message.role === 'user', 'steps are sent without their question')
}

function sameAfterReload(log: Log): void {
  law(JSON.stringify(modelView(reread(log))) === JSON.stringify(modelView(log)), 'the view differs after a round through a file')
}

/** After an undo the strategy by itself makes no edit of the same kind for the same target. */
async function undoneStaysUndone(chat: Chat, before: Log): Promise<void> {
  const undo = chat.log.at(-1)
  if (undo?.type !== 'undo' || before.at(-1) === undo) return
  const lifted = before.filter(isEdit).filter(edit => edit.group === undo.target && edit.type !== 'undo')
  for (const moment of ['onTurn', 'onCall'] as const) {
    const added = await prepare(chat.log, chat.strategy[moment] ?? [], chat.env(moment))
    for (const edit of added) {
      if (edit.type === 'shorten') law(!lifted.some(other => other.type === 'shorten' && other.target === edit.target && other.part === edit.part), 'an undone shortening is made again')
      if (edit.type === 'cut') law(!lifted.some(other => other.type === 'cut' && other.before === edit.before), 'an undone cut is made again')
      if (edit.type === 'strip') law(!lifted.some(other => other.type === 'strip' && other.before === edit.before), 'an undone strip is made again')
    }
  }
}

/** What is not sent, or not whole, is named by a path that is sent; but for `clear`, `open` and the last resort, and for stripped turns. */
function isReachable(chat: Chat): void {
  const { log } = chat
  const view = modelView(log)
  for (const { message, shortened } of view) if (shortened !== undefined) law(JSON.stringify(message).includes(shortened.path), 'a shortened text does not name its path')
  const { from, cut } = boundaryOf(log)
  const summary = standingSummary(log)
  if (cut === null || cut.reason === 'clear' || cut.reason === 'open' || cut.reason === 'last resort' || summary?.of !== cut.id) return
  const shown = new Set(view.flatMap(({ entry }) => entry ?? []))
  for (const fact of log.slice(0, from).filter((entry): entry is FactEntry => isFact(entry) && !shown.has(entry.id))) {
    const place = chat.place(fact.id)
    law(place !== undefined && summary.guide.some(({ path, from: first, to }) => path === `dialog/${place.day}.jsonl` && first <= place.line && place.line <= to), 'a fact behind the cut is not named by the guide')
  }
  law(view.some(({ message }) => summary.guide.every(({ path }) => message.content.includes(path))), 'the guide is not sent')
}

/** Lifting all groups gives the view of the facts alone, byte for byte. */
function undoOfEverything(chat: Chat): void {
  for (let n = 0; undoTarget(chat.log) !== null; n++) {
    law(n < 10_000, 'undo has no end')
    chat.undo()
  }
  law(JSON.stringify(modelView(chat.log)) === JSON.stringify(modelView(chat.log.filter(isFact))), 'after undo of everything the view is not the one before')
}

function words(length: number, seed: string): string {
  return seed.repeat(Math.ceil(length / seed.length)).slice(0, length)
}

function law(holds: boolean, broken: string): void {
  if (!holds) throw new Error(broken)
}
