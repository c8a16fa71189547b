/** Of two statements about one thing, whether the later one plainly replaces the earlier, or takes it back. Pure. */
import { contentTerms } from '../../text/search/terms.ts'
import { statementsOf, type SaidStatement } from './statements-of.ts'

/** Both statements have at least this share of each other's words, and as many of them. */
const sameThing = 0.6
const leastShared = 2
/** A longer text was pasted: nobody compares its sentences. UTF-16 units. */
const longest = 1500

/** Words of the change itself, and those that every wish has: they say nothing of the thing. */
const frame: ReadonlySet<string> = new Set(
  contentTerms(
    'always never please from now on instead of rather than no longer any more anymore not actually changed change moved move switched switch ' +
      'stop stopped using use used forget about ignore drop need want have had old new again when whenever every time ask asked asking say tell rule ' +
      'is are was were been be will would should must can could only just also well increased decreased improved reduced raised lowered updated ' +
      'postponed rescheduled pushed back brought forward up down cancelled canceled correction meant now today currently it i we you my our your ' +
      'do does did make made keep kept sure',
  ),
)
const hanFrame =
  /从现在起|从现在开始|以后|以後|今后|今後|不用再|不必再|不需要再|不再|别再|別再|改到|改成|改为|改為|改用|换成|換成|推迟到|推迟|提前到|提前|取消|现在|現在|其实|其實|请|請|总是|總是|一律|都|了|的|是|在|到|用|要|我们|我們|我|你|定在|定为|定為|每次|务必|必须|不要/gu
/** What changes while the thing stays: numbers, days, times of the day. */
const value =
  /\p{N}[\p{N}.,:/%-]*|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:morning|afternoon|evening|noon|night|am|pm|today|tomorrow)\b|[上下本这這]?(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]|[上下]午|晚上|早上|中午|[一二三四五六七八九十两兩百千万]+(?:点半|點半|点|點|号|號|日|月|元|块|塊|个|個|人|天|次|%)?/giu

type Words = { all: ReadonlySet<string>; thing: ReadonlySet<string> }

function wordsOf(sentence: string): Words {
  const bare = sentence.replace(hanFrame, ' ')
  return { all: termsOf(sentence), thing: termsOf(bare.replace(value, ' ')) }
}

function termsOf(text: string): ReadonlySet<string> {
  return new Set(contentTerms(text).filter(term => !frame.has(term)))
}

function sharedOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let both = 0
  for (const term of some) if (others.has(term)) both++
  return both
}

const isHan = /^\p{Script=Han}/u

/** Whether two sentences speak of the same thing. */
function isSameThing(one: Words, other: Words): boolean {
  const shared = sharedOf(one.thing, other.thing)
  const least = [...one.thing].some(term => isHan.test(term)) ? 1 : leastShared
  return shared >= least && shared >= sameThing * one.thing.size && shared >= sameThing * other.thing.size
}

/** Whether a sentence of the later text says that something told in the earlier one is different now. */
export function replaces(later: string, earlier: string): boolean {
  if (later.length > longest || earlier.length > longest) return false
  const changes = statementsOf(later).filter(({ kinds, text }) => kinds.has('change') && !/[?？]\s*$/.test(text))
  if (changes.length === 0) return false
  const told = statementsOf(earlier)
    .filter(({ text }) => !/[?？]\s*$/.test(text))
    .map(({ text }) => wordsOf(text))
  return changes.some(({ text }) => {
    const words = wordsOf(text)
    return told.some(before => isSameThing(words, before) && sharedOf(words.all, before.all) < words.all.size)
  })
}

/** Whether a later statement takes a standing wish back, or puts another one in its place. */
export function endsWish(later: SaidStatement, wish: string): boolean {
  const [words, wished] = [wordsOf(later.text), wordsOf(wish)]
  if (later.kinds.has('withdrawal')) {
    const shared = sharedOf(words.thing, wished.thing)
    if (shared >= 1 && shared >= sameThing * words.thing.size) return true
  }
  return later.kinds.has('wish') && later.text !== wish && isSameThing(words, wished)
}
