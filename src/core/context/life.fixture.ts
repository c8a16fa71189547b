/** Random lives of a chat, and how they are lived: for the laws. */
import fc from 'fast-check'
import type { Id } from '../log/entry.ts'
import { isFact } from '../log/query.ts'
import { summarisers, type Chat, type Summariser } from './chat.fixture.ts'
import { assistantFact, resultFact, userFactOf } from './context.fixture.ts'
import { strategyNames, type StrategyName } from './strategy.ts'

/** One thing that happens in a chat. */
export type Move =
  | { do: 'turn'; question: number; steps: ScriptedStep[]; answer: number; asked: boolean }
  | { do: 'undo' | 'redo' | 'compact' | 'clear' | 'reload' | 'open' | 'late' | 'orphan' }
  | { do: 'crash'; lost: number }
  | { do: 'pin'; at: number; on: boolean }
  | { do: 'strategy'; to: StrategyName }
  | { do: 'window'; to: number }
  | { do: 'summariser'; to: Summariser }
  | { do: 'local'; to: boolean }
type ScriptedStep = {
  text: number
  args: number
  results: number[]
  missing: boolean
  ids: 'again' | 'new'
  tool: string
}

/** Sizes in characters: mostly small, some that fill a window, a few above what an entry keeps. */
const size = fc.oneof(
  { weight: 60, arbitrary: fc.nat(300) },
  { weight: 24, arbitrary: fc.nat(5_000) },
  { weight: 4, arbitrary: fc.constant(22_000) },
  { weight: 1, arbitrary: fc.constant(140_000) },
)
const step: fc.Arbitrary<ScriptedStep> = fc.record({
  text: fc.oneof(fc.constant(0), size),
  args: size,
  results: fc.array(size, { minLength: 1, maxLength: 3 }),
  missing: fc.boolean(),
  ids: fc.constantFrom('again' as const, 'new' as const),
  tool: fc.constantFrom('web', 'read_file', 'look'),
})
const windows = [1_024, 4_096, 4_096, 16_384, 16_384, 131_072, 1_000_000]

const turn = fc.record({
  do: fc.constant('turn' as const),
  question: size,
  steps: fc.array(step, { maxLength: 4 }),
  answer: size,
  asked: fc.boolean(),
})
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 14, arbitrary: turn },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'undo' as const,
        'undo' as const,
        'redo' as const,
        'compact' as const,
        'clear' as const,
        'reload' as const,
        'open' as const,
        'late' as const,
        'orphan' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), lost: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), at: fc.nat(100), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('strategy' as const), to: fc.constantFrom(...strategyNames) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('window' as const), to: fc.constantFrom(...windows) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('summariser' as const), to: fc.constantFrom(...summarisers) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('local' as const), to: fc.boolean() }) },
)

export type Life = { window: number; summariser: Summariser; system: number; moves: Move[] }
/** A chat's life; some system prompts are above the window. */
export const anyLife: fc.Arbitrary<Life> = fc.record({
  window: fc.constantFrom(...windows),
  summariser: fc.constantFrom(...summarisers),
  system: fc.oneof({ weight: 9, arbitrary: fc.nat(600) }, { weight: 1, arbitrary: fc.constant(8_000) }),
  moves: fc.array(move, { minLength: 1, maxLength: 12 }),
})

/** What the laws look at while a life is lived. */
export type Watch = {
  /** In front of a model call; answers whether the request fits. */
  call: (chat: Chat, question: Id, first: boolean) => Promise<boolean>
  /** After the steps of opening have run. */
  opened: (chat: Chat) => Promise<void>
}

/** Does one move; `n` makes its words its own. */
export async function playMove(chat: Chat, it: Move, n: number, watch: Watch): Promise<void> {
  switch (it.do) {
    case 'turn':
      return playTurn(chat, it, n, watch)
    case 'undo':
      chat.undo()
      return
    case 'redo':
      chat.redo()
      return
    case 'compact':
      return chat.compactByHand()
    case 'clear':
      chat.add({ type: 'cut', group: chat.newId(), before: null, reason: 'clear' })
      return
    case 'reload':
      chat.reload()
      return
    case 'open': {
      await chat.moment('onOpen')
      return watch.opened(chat)
    }
    case 'late':
      return chat.lateSummaries(1)
    case 'orphan':
      chat.say(resultFact('nobody asked', fillerText(50, 'orphan ')))
      return
    case 'crash':
      chat.crash(it.lost)
      return
    case 'pin': {
      const facts = chat.log.filter(isFact)
      const fact = facts[it.at % Math.max(1, facts.length)]
      if (fact !== undefined) chat.add({ type: 'pin', group: chat.newId(), target: fact.id, on: it.on })
      return
    }
    case 'strategy':
      chat.strategyName = it.to
      return
    case 'window':
      chat.window = it.to
      return
    case 'summariser':
      chat.summariser = it.to
      return
    case 'local':
      chat.local = it.to
      return
    default:
      it satisfies never
  }
}

async function playTurn(
  chat: Chat,
  { question, steps, answer, asked }: Move & { do: 'turn' },
  n: number,
  watch: Watch,
): Promise<void> {
  const { id } = chat.say(userFactOf(fillerText(question, `question ${n} `)))
  for (const [s, { text, args, results, missing, ids, tool }] of steps.entries()) {
    if (!(await watch.call(chat, id, s === 0))) return
    const calls = results.map(
      (_, c) =>
        [
          ids === 'again' ? `call_${c}` : `call_${n}_${s}_${c}`,
          tool,
          JSON.stringify({ path: fillerText(args, 'argument ') }),
        ] as const,
    )
    chat.say(assistantFact(fillerText(text, `thought ${n}.${s} `), calls))
    for (const [c, length] of results.entries()) {
      if (missing && c === results.length - 1 && s === steps.length - 1) continue // it was stopped
      chat.say(resultFact(calls[c]?.[0] ?? '', fillerText(length, `row ${n}.${s}.${c} `), tool))
      await chat.moment('onResult')
    }
    if (missing && s === steps.length - 1) return
  }
  if (!asked || !(await watch.call(chat, id, steps.length === 0))) return
  chat.say(assistantFact(fillerText(answer, `answer ${n} `)))
  await chat.moment('onAnswer')
  await chat.lateSummaries(1)
}

/** So many characters of these words, over and over. */
export function fillerText(length: number, seed: string): string {
  return seed.repeat(Math.ceil(length / seed.length)).slice(0, length)
}
