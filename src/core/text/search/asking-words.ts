/** Words of a question that speak of the talk, not of its subject: "what did you recommend", "list the order". Pure. */
import { stem, type WeightedTerm } from './terms.ts'

/** A question or a request in whole words; a few words that are looked for have none of this. */
const asks =
  /[?？]|^\s*(?:can|could|would|will|please|what|which|who|when|where|why|how|list|give|tell|summari[sz]e|describe|explain|show|do|did|does|have|has|is|are|was|were)\b|[吗嗎呢]\s*$|什么|什麼|多少|哪|怎么|怎麼|请|請|何|いつ|どこ|誰|ください|언제|어디|무엇|누가|얼마|주세요/iu

const asking: ReadonlySet<string> = new Set(
  (
    'say said tell told mention mentioned discuss discussed talk conversation chat recommend recommended suggest suggested describe explain ' +
    'list order summary summarize summarise comprehensive overview across throughout different aspect various item only brought bring walk give ' +
    'please about three four five six seven eight nine ten many much ever still now currently'
  )
    .split(' ')
    .map(stem),
)
/** The same in pairs of letters. */
const askingPairs: ReadonlySet<string> = new Set(
  '提到 提过 說過 说过 聊过 讨论 討論 总结 總結 概括 顺序 順序 列出 告诉 告訴 建议 建議 推荐 推薦 話し 言っ 教え 順番 説明 말했 얘기 알려 순서 추천 설명'.split(
    ' ',
  ),
)

/** Whether a query asks in words, and is not a few words to be found as they are. */
export function asksInWords(query: string): boolean {
  return asks.test(query)
}

/** The terms of a question that name its subject; all of them where none does. */
export function subjectTerms(terms: readonly WeightedTerm[]): readonly WeightedTerm[] {
  const telling = terms.filter(({ term }) => !asking.has(term) && !askingPairs.has(term))
  return telling.length > 0 ? telling : terms
}
