/**
 * What holds beyond the moment among the sentences of a person: standing wishes ("always use tabs"), likes, and what
 * takes something back or replaces it. English, Chinese, Japanese, Korean. Pure.
 */
import { isQuestion } from '../../context/summary/cues.ts'

export type StatementKind = 'wish' | 'like' | 'change' | 'withdrawal'

/** Longest sentence that is looked at, UTF-16 units: a longer one is data, or its start says what it is. */
const LONGEST = 400

/** What may stand before an order without making it less of one. */
const lead = String.raw`^(?:(?:please|also|and|so|ok(?:ay)?|oh|but|just|then|yes|thanks|thank you|one more thing|remember|note|by the way|btw|a rule)[,:;—-]?\s+(?:that\s+)?)*`
const standing = new RegExp(
  [
    // Orders for every time: not "always wanted to", not "never mind".
    `${lead}(?:always|never(?: ever)?|(?:do not|don['’]?t) ever|make sure (?:you |to )?(?:always|never)) (?!mind\\b|been\\b|had\\b|heard\\b|seen\\b|a\\b|the\\b|knew\\b|thought\\b|good\\b|nice\\b|great\\b|fun\\b|happy\\b|here\\b|there\\b|again\\b|too\\b|\\w+(?:ed|en)\\b)[a-z]`,
    `${lead}(?:do not|don['’]?t) (?!worry|forget|give up|know|think|mind|get|feel|be\\b|let|you\\b|we\\b|want|like|have|need|see|remember|understand|hesitate)[a-z]+`,
    String.raw`\b(?:from now on|from here on|going forward|in all (?:your|future)|as a (?:standing )?rule|by default,? (?:use|write|answer|give|keep|show)|until i (?:say|tell))\b`,
    String.raw`\b(?:whenever|every time|each time|any time|when) i (?:ask|say|write|send|share|post|paste|give|request|want|need|mention|talk)\b`,
    String.raw`\byou (?:should|must|may|can) (?:always|never|only)\b|\bi(?:['’]d| would)? (?:want|like|need|prefer) (?:you|your (?:answers|replies|responses)) (?:to (?:always|never)|always|never)\b`,
    String.raw`\b(?:your|all|the) (?:answers|replies|responses) (?:must|should|are to|in|as|short|with)\b|\bkeep (?:your|all) (?:answers|replies|responses)\b`,
    // Chinese
    '(?:以后|以後|今后|今後|从现在|從現在|从今|往后|凡是|每次|每当|每當|一律|始终|始終|永远|永遠|总是要|一直要).{0,30}(?:请|請|要|都|别|別|不要|不用|用|必须|必須|得|先|写|寫|说|說|给|給)',
    '(?:我|我们|我們)(?:问|問|要|让你|讓你|请你|請你|提到|写|發|发).{0,20}(?:的时候|的時候|时|時)[，,]?.{0,10}(?:请|請|要|都|别|別|必须|必須|总是|總是|务必|務必)',
    '^(?:请|請)?(?:务必|務必|总是|總是|一定要|永远|永遠|始终|始終|绝对不要|絕對不要|千万别|千萬別|千万不要|不要再|别再|別再)',
    '(?:回答|回复|回覆|答复|輸出|输出)(?:我)?(?:的时候|時|时)?(?:请|請|要|都|一律|必须|必須|不要|别|別)',
    // Japanese, Korean
    '(?:今後は|これからは|いつも|常に|必ず|絶対に|毎回|[くでの]時は).{0,40}(?:ください|下さい|して|しないで|ほしい|欲しい|こと)',
    '(?:앞으로|항상|언제나|반드시|절대|매번|때는|때마다).{0,40}(?:주세요|줘|마세요|말아|바랍니다|해라|하지\\s?마)',
  ].join('|'),
  'iu',
)
const liking =
  /\bi(?:['’](?:d|m|ve))?(?: \w+){0,2} (?:prefer(?:red)?|favou?r|hate|dislike|avoid(?:ing)?|rather)\b|\bmy (?:\w+ )?(?:preferences?|favou?rites?)\b|\bi(?:'m| am) (?:allergic|vegetarian|vegan|not (?:a fan|into))\b|\bcan(?:no|['’])t stand\b|\bi (?:really |do |don['’]t |do not )?(?:like|love|enjoy) |(?:我|我们|我們)(?:很|更|最|比较|比較|不|挺|特别|特別|还是|還是|一直)?(?:喜欢|喜歡|偏好|偏爱|讨厌|討厭|爱|愛|习惯|習慣|宁愿|寧願|想避免|不想)|过敏|過敏|好き|嫌い|苦手|避けたい|アレルギー|좋아|싫어|피하고|알레르기/iu
const changing =
  /\b(?:no longer|not .{1,40} any ?more|instead of|changed? (?:to|from|my mind|it to)|switch(?:ed|ing)? (?:to|from|back|over)|moved (?:to|from|back|up)|postponed|rescheduled|pushed (?:back|to)|brought forward|cancel(?:l)?ed|actually|correction|i was wrong|i meant|(?:is|are|has|have) now\b|now (?:it(?:['’]s| is)|at|set to|in|on|with|targets?|has)|(?:increased|decreased|improved|reduced|raised|lowered|updated|grown|extended|risen|dropped) (?:\w+ )?(?:to|from|by)|replac(?:ed?|ing)|used to)\b|改(?:成|为|為|到|用|了)|换成|換成|不再|推迟|推遲|提前|延期|其实|其實|现在是|現在是|更正|取消|変更|ではなく|바뀌|바꿨|변경|취소|대신/iu
const withdrawing =
  /\b(?:stop (?!by\b)\w+ing|no longer (?:need|want|have to|use)|forget (?:about )?(?:the|my|that|what i)|(?:ignore|drop|scrap|lift) (?:my|the|that)|no need (?:to|for)|no more|you (?:can|may|need not|don['’]?t (?:have|need) to).{0,60}(?:again|any ?more|now)\b|not .{1,60} any ?more|(?:rule|wish|that) no longer (?:holds|applies))\b|不用再|不必再|不需要再|别再|別再|不再需要|作废|作廢|不算数|不算數|忘掉|撤回|取消|もう.{0,20}(?:なくて|必要|いい)|やめて|忘れて|더\s?이상|이제\s?안|취소/iu

/** Which kinds a sentence is of. Never throws. */
export function kindsOf(sentence: string): ReadonlySet<StatementKind> {
  const text = sentence.length > LONGEST ? sentence.slice(0, LONGEST) : sentence
  const kinds = new Set<StatementKind>()
  if (standing.test(text) && !isQuestion(text)) kinds.add('wish')
  if (liking.test(text)) kinds.add('like')
  if (changing.test(text)) kinds.add('change')
  if (withdrawing.test(text)) kinds.add('withdrawal')
  return kinds
}
