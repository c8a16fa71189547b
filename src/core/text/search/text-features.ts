/** Features of a text besides its words: that it asks, names a time or a number, who speaks. Pure. */
import { foldText } from './fold-text.ts'

/** Signs of a text. Counts are cut off at 3. */
export type TextFeatures = { asks: boolean; endsAsking: boolean; times: number; counts: number }
/** Who says it: the person, the assistant, or anything else (a tool, a note, a file). */
export type Voice = 'person' | 'assistant' | 'other'

const times = new RegExp(
  [
    '\\b(?:yesterday|today|tonight|tomorrow|last|next|this (?:week|month|year|weekend|morning|evening|summer|winter|spring|autumn|fall)|ago|since|recently',
    '(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december',
    '(?:day|week|weekend|month|year)s?|(?:19|20)\\d\\d)\\b|[昨今明前后後][天日]|[上下本这這]个?[周週月]|[上下本这這]個[月]|星期|礼拜|[去今明前]年|\\d+ ?[年月日号號]|先[週月]|来[週月]|어제|오늘|내일|지난|다음|\\d+ ?[년월일]',
  ].join('|'),
  'giu',
)
const counts =
  /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|once|twice|several|couple|both|few|many)\b|[一二两兩三四五六七八九十百千]+[个個次人只隻本台位年天]|[두세네]\s?[개명번]/giu
const question = /[?？]/

/** The signs of a text; only its first 4 000 UTF-16 units are looked at. Never throws. */
export function featuresOf(text: string): TextFeatures {
  const part = foldText(text.slice(0, 4000)).text.trimEnd()
  const last = Math.max(part.lastIndexOf('?'), part.lastIndexOf('？'))
  // A few words may follow the question: "…, what about you? Take care!"
  return {
    asks: question.test(part),
    endsAsking: last >= 0 && part.length - last < 25,
    times: countOf(part, times),
    counts: countOf(part, counts),
  }
}

/** Signs and voice as one byte of the index. */
export function packFeatures({ asks, endsAsking, times, counts }: TextFeatures, voice: Voice): number {
  const speaks = voice === 'person' ? 1 : voice === 'assistant' ? 2 : 0
  return (asks ? 1 : 0) | (endsAsking ? 2 : 0) | (times << 2) | (counts << 4) | (speaks << 6)
}

/** The byte of a text from those of its beginning and of the piece that follows. */
export function joinFeatures(begun: number, piece: number): number {
  const asks = (begun | piece) & 1
  const times = Math.max(timesOf(begun), timesOf(piece))
  const counts = Math.max(countsOf(begun), countsOf(piece))
  return asks | (piece & 2) | (times << 2) | (counts << 4) | (begun & 0xc0)
}

export const asksOf = (byte: number): boolean => (byte & 1) !== 0
export const endsAskingOf = (byte: number): boolean => (byte & 2) !== 0
export const timesOf = (byte: number): number => (byte >> 2) & 3
export const countsOf = (byte: number): number => (byte >> 4) & 3
export const isPerson = (byte: number): boolean => byte >> 6 === 1
export const isAssistant = (byte: number): boolean => byte >> 6 === 2

/** Kinds of statements of the person as bits of a byte: a standing wish, a like or dislike, one taken back. */
export const wishSign = 1
export const likeSign = 2
export const withdrawalSign = 4

const asksTime =
  /\b(?:when|how long|(?:what|which) (?:year|month|week|date|day|time))\b|什么时候|什麼時候|何时|何時|几点|幾點|哪[年天月]|多久|いつ|언제|며칠/iu
const asksCount = /\bhow (?:many|much|often|old)\b|多少|[几幾][个個次人岁歲]|いくつ|いくら|何[人回個歳]|몇|얼마/iu

/** "What did you recommend", "your advice": it is about what was answered. */
const asksAnswer =
  /\b(?:did|had|have) you\b|\byou (?:\w+ )?(?:said|told|recommended|suggested|advised|proposed|explained|described|gave|mentioned|wrote|answered|showed|listed)\b|\byour (?:\w+ )?(?:advice|answer|suggestion|recommendation|explanation|proposal)s?\b|[你您](?:\S{0,4})(?:说|說|建议|建議|推荐|推薦|回答|告诉|告訴|提到|解释|解釋|给|給)|(?:教えて|勧めて|説明して|提案して|言って)くれ|알려\s?준|추천해\s?준|말해\s?준/iu

/** Whether a question wants a time, a number, or what was answered. */
export function queryWants(query: string): { time: boolean; count: boolean; answer: boolean } {
  return { time: asksTime.test(query), count: asksCount.test(query), answer: asksAnswer.test(query) }
}

/** The name in front of a line of a transcript ("Ada Moss: …"); '' where there is none. */
export function speakerOf(text: string): string {
  return /^\s*((?:\p{Lu}|\p{Lo})[\p{L}\p{M}\p{N} .'’-]{0,30})[:：]\s?\S/u.exec(text.slice(0, 80))?.[1] ?? ''
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  pattern.lastIndex = 0
  while (count < 3 && pattern.exec(text)) count++
  return count
}
