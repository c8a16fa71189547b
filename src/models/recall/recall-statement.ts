/** Whether somebody tells something, and does not ask or look for it: by plain rules, in several languages. Pure. */
import { asksInWords } from '../../core/text/search/asking-words.ts'

/** "Remember that …", 记住：… */
const asksToKeep =
  /^(?:please |pls )?(?:remember|note|keep in mind|don'?t forget|do not forget|fyi|for the record|by the way|btw)\b|^(?:请|請)?(?:记住|記住|记下|記下|记一下|記一下|备忘|備忘|对了|對了)|(?:覚えて(?:おいて)?(?:ください)?|メモ(?:して)?)[。!！]?$|기억해\s?(?:줘|주세요|둬)[.!]?$/iu
/** Requests: what is wanted is done, or looked for. */
const requests =
  /^(?:please |pls )?(?:find|search|look|read|open|fetch|get|write|translate|make|create|suggest|compare|calculate|convert|help|continue|go|stop|draw|say|recommend|remind|check|browse|download|rewrite|shorten|fix|correct|generate|draft|compose|count|sort|define|play|let's|let us)\b|^(?:请|請|帮|幫|找|查|搜|看看|读|讀|打开|打開|写|寫|翻译|翻譯|解释|解釋|讲|講|给我|給我|告诉|告訴|来|來|推荐|推薦|起个|列)|(?:ください|くれ|て|して)[。!！]?$|(?:줘|주세요|줄래)[.!]?$/iu
/** A verb that stands in a sentence, not in a list of words to look for. */
const finite =
  /\b(?:am|is|are|was|were|has|have|had|will|would|can|can't|cannot|could|must|should|do|don't|does|doesn't|did|didn't|won't|isn't|aren't|wasn't|lives?|works?|likes?|loves?|hates?|needs?|wants?|costs?|means|prefers?|bought|sold|put|moved|lent|decided|chose|went|came|got|said|told|made|paid|met|left|lost|found|started|finished)\b|\b\w+'(?:s|re|m|ve|ll|d) \w/iu
const speaksOfSomebody =
  /^(?:i|i'm|i've|i'll|we|we're|he|she|they|it|it's|this|that|there|my|our|his|her|their|the)\b/iu
const chineseVerb =
  /.(?:是|在|有|叫|住|要|会|會|喜欢|喜歡|讨厌|討厭|不|把|被|给|給|借|买|買|搬|放|改|定|用|去|来|來|花了|需要|决定|決定).|了[。!！]?$/u
const japaneseEnd = /(?:です|ます|ました|でした|だった|だ|ている|てある|ない|した|った)[。!！]?$/u
const koreanEnd = /(?:다|요|음|임)[.!]?$/u

/** Never throws. */
export function isStatement(text: string): boolean {
  const said = text.trim().replaceAll('’', "'")
  if (/[?？]|[吗嗎呢か까][。.]?$/u.test(said)) return false
  if (asksToKeep.test(said)) return true
  if (asksInWords(said) || requests.test(said)) return false
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(said)) return japaneseEnd.test(said)
  if (/\p{Script=Hangul}/u.test(said)) return koreanEnd.test(said) && /\s/u.test(said)
  if (/\p{Script=Han}/u.test(said)) return /[。!！]$/u.test(said) || ([...said].length >= 5 && chineseVerb.test(said))
  const words = said.split(/\s+/u).length
  if (/[.!…]$/u.test(said) && words >= 3) return true
  return words >= 3 && finite.test(said) && (speaksOfSomebody.test(said) || /^\p{Lu}/u.test(said))
}
