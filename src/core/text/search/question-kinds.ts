/** What kind of answer a question wants, by its own words: an order, a summary, several things, advice. Pure. */
import { asksInWords } from './asking-words.ts'

/**
 * `order`: in which order things came up. `summary`: what there is about something, over the whole chat. `list`: most
 * likely several things from several places. `advice`: nothing that was said, but something to be done: what the person
 * wishes and likes bears on it.
 */
export type QuestionKind = 'order' | 'summary' | 'list' | 'advice' | 'plain'

const order =
  /\border in which\b|\b(?:what|which) order\b|\bchronolog|\b(?:sequence|timeline) (?:of|in)\b|顺序|順序|先后|先後|依次|时间线|時間線|順番|時系列|순서|차례/iu
const summary =
  /\bsummar(?:y|i[sz]e)|\boverview\b|\brecap\b|\bsum up\b|总结|總結|概括|概述|回顾|回顧|归纳|歸納|梳理|まとめ|要約|概要|振り返|요약|정리해|개요/iu
const spanOfTime =
  /\bhow many (?:days|weeks|months|years|hours|minutes)\b|多少[天日周週年月]|[几幾][天年]|何(?:日|週|年)間|며칠|몇\s?(?:주|년|달)/iu
const past =
  /\b(?:did|was|were|had) (?:i|we|you)\b|(?:我|我们|我們|你|您)(?:\S{0,6})(?:说过|說過|提过|提過|了吗|了嗎|过吗|過嗎|过什么|過什麼)/iu
const advice =
  /\b(?:suggest|recommend|advi[sc]e|tips?|ideas?|options?|best way|help me|should (?:i|we))\b|\b(?:how|what|where) (?:do|can|could|would|might) (?:i|we)\b|\b(?:can|could|would|will) you\b|\bi(?:['’]m| am) (?:planning|looking|trying|thinking)\b|\bi (?:want|need|would like) (?:to|an?|some)\b|怎么(?:做|写|办|样|弄|安排|实现|处理|选)|怎麼(?:做|寫|辦|樣|弄|安排|選)|如何|应该|應該|推荐|推薦|建议|建議|帮我|幫我|给我|給我|请(?!问)|どう(?:すれば|やって|したら)|おすすめ|お勧め|(?:して|書いて|作って)(?:ください|くれ)|어떻게|추천|도와|해\s?줘|해\s?주세요/iu
const list =
  /\b(?:what|which) (?:\w+ ){0,2}?\w+s (?:has|have|did|do|does|is|are|were)\b|\bhow many\b|\bwhat (?:all|has|have|does|do|are)\b|\bwhere (?:has|have)\b|\bboth\b|^who\b|\bwhat (?:kind|type|sort)s?\b|哪些|哪几|哪幾|几[次个種种]|幾[次個種]|都有|都去|什么样|どんな|どの\S{1,6}たち|何(?:回|個|種類)|어떤|몇\s?(?:번|개|가지)|모두/iu

/** The kind of a question; `plain` for a single fact and for a few words to be found as they are. Never throws. */
export function questionKind(query: string): QuestionKind {
  if (order.test(query)) return 'order'
  if (summary.test(query)) return 'summary'
  if (!asksInWords(query) && !advice.test(query)) return 'plain'
  if (spanOfTime.test(query) || past.test(query)) return 'plain'
  if (advice.test(query)) return 'advice'
  return list.test(query) ? 'list' : 'plain'
}

/** How strongly hits of one sitting step behind those of others. Unit: score for each better hit of the sitting. */
const spreadOf: Record<QuestionKind, number> = { order: 1, summary: 1, list: 0.7, advice: 0, plain: 0 }

/**
 * The same hits, each as far behind as hits of its sitting stand before it: what is asked for stands in several places.
 * Costs the square of the hits.
 */
export function spreadOverSittings<Hit extends { score: number }>(
  hits: readonly Hit[],
  kind: QuestionKind,
  sittingOf: (hit: Hit) => number,
): readonly Hit[] {
  const step = spreadOf[kind]
  if (step === 0) return hits
  const left = [...hits]
  const taken = new Map<number, number>()
  const scoreOf = (hit: Hit): number => hit.score - step * (taken.get(sittingOf(hit)) ?? 0)
  const chosen: Hit[] = []
  while (left.length > 0) {
    let best = 0
    for (let n = 1; n < left.length; n++) if (scoreOf(left[n]!) > scoreOf(left[best]!)) best = n
    const [hit] = left.splice(best, 1)
    chosen.push(hit!)
    taken.set(sittingOf(hit!), (taken.get(sittingOf(hit!)) ?? 0) + 1)
  }
  return chosen
}
