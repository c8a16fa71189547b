/**
 * Made-up chats with facts, questions that these answer, and questions that nothing in them answers. Each kind of fact
 * has wordings of its question: one half of the set asks with the first six, the other half with the last two.
 */
import { dice } from '../shared/dice.ts'

/** What a fact is filled with: who, which thing, where or how much. */
export type Slots = { who: string; thing: string; value: string }
/** A fact as it is said, and as it is asked for later. `answered`: the assistant says it, after a question. */
export type FactKind = {
  said: readonly ((slots: Slots) => string)[]
  answered?: (slots: Slots) => string
  asked: readonly ((slots: Slots) => string)[]
  /** What tells one fact of this kind from another. */
  about: 'who' | 'thing' | 'both'
  values: readonly string[]
}
export type AnswerableLanguage = {
  people: readonly string[]
  things: readonly string[]
  /** People and things of which nothing is ever said. */
  strangers: readonly string[]
  unknownThings: readonly string[]
  kinds: readonly FactKind[]
  talk: readonly ((who: string, thing: string) => string)[]
  replies: readonly string[]
  /** Questions about the world, not about the chat. */
  general: readonly string[]
}

export type Answerable = {
  messages: { voice: 'person' | 'assistant'; text: string }[]
  /** `kind` of those without an answer: of somebody else in the chat, of one never spoken of, or about the world. */
  questions: { text: string; answer: number | null; kind: 'answered' | 'other' | 'stranger' | 'world' }[]
}

/** As many wordings of a question are for fitting. */
const fitted = 6

/**
 * A chat of `turns` exchanges with `asked` questions of each sort. `half` chooses the wordings of the questions, and
 * the seed. The same in each run.
 */
export function answerableChat(
  { people, things, strangers, unknownThings, kinds, talk, replies, general }: AnswerableLanguage,
  { half, asked, turns = 300 }: { half: 0 | 1; asked: number; turns?: number },
): Answerable {
  const pick = dice(half === 0 ? 20_261_130 : 20_261_201)
  const of = <T>(list: readonly T[]): T => list[Math.floor(pick() * list.length)]!
  const keyOf = (kind: number, { who, thing }: Slots): string =>
    `${kind} ${kinds[kind]!.about === 'thing' ? '' : who} ${kinds[kind]!.about === 'who' ? '' : thing}`
  const worded = (kind: number, slots: Slots): string => {
    const { asked: all } = kinds[kind]!
    return of(all.length > fitted ? (half === 0 ? all.slice(0, fitted) : all.slice(fitted)) : all)(slots)
  }
  const planted = new Map<string, { kind: number; slots: Slots; message: number }>()
  const messages: Answerable['messages'] = []
  const every = Math.floor(turns / asked)
  for (let turn = 0; turn < turns; turn++) {
    let kind = Math.floor(pick() * kinds.length)
    let slots: Slots = { who: of(people), thing: of(things), value: of(kinds[kind]!.values) }
    while (planted.has(keyOf(kind, slots))) {
      kind = Math.floor(pick() * kinds.length)
      slots = { who: of(people), thing: of(things), value: of(kinds[kind]!.values) }
    }
    const { said, answered } = kinds[kind]!
    if (turn % every === 1 && planted.size < asked) {
      messages.push({ voice: 'person', text: of(said)(slots) })
      planted.set(keyOf(kind, slots), { kind, slots, message: messages.length - (answered ? 0 : 1) })
      messages.push({ voice: 'assistant', text: answered?.(slots) ?? of(replies) })
    } else {
      messages.push({ voice: 'person', text: of(talk)(of(people), of(things)) })
      messages.push({ voice: 'assistant', text: of(replies) })
    }
  }
  const questions: Answerable['questions'] = [...planted.values()].map(({ kind, slots, message }) => ({
    text: worded(kind, slots),
    answer: message,
    kind: 'answered',
  }))
  const world = general.filter((_, n) => n % 2 === half)
  for (let n = 0; n < asked; n++) {
    const sort = n % 3
    const kind = Math.floor(pick() * kinds.length)
    let slots: Slots = { who: of(people), thing: of(things), value: of(kinds[kind]!.values) }
    if (sort === 0) while (planted.has(keyOf(kind, slots))) slots = { ...slots, who: of(people), thing: of(things) }
    if (sort === 1) slots = { ...slots, who: of(strangers), thing: of(unknownThings) }
    questions.push(
      sort === 2
        ? { text: world[((n - 2) / 3) % world.length]!, answer: null, kind: 'world' }
        : { text: worded(kind, slots), answer: null, kind: sort === 0 ? 'other' : 'stranger' },
    )
  }
  return { messages, questions }
}
