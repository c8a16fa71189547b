/** What a sentence is about, by its words: English and Chinese cues for the summary by rule. Pure. */

export type Cue = 'constraint' | 'decision' | 'next' | 'done' | 'running' | 'blocked' | 'finding' | 'personal'

/** Longest sentence that is looked at, UTF-16 units: a longer one is data, or its start says what it is. */
const LONGEST = 600

/**
 * Words of which one must occur before a pattern is tried, by cue: looking words up is several times cheaper than
 * trying every pattern on every sentence of a long log. Of an alternative that has several words the rarest stands
 * here. Parts of words split at an apostrophe or a hyphen count ("don't" is `don`); "to-do" is looked for by itself.
 */
const triggerWords: Record<Cue, string> = {
  constraint:
    'must mustn never always prefer prefers preferred preference not don no than most least avoid without require requires required requirement sure ensure limit limited deadline budget ' +
    'allergic allergy cannot forbidden rule rules only please like hate dislike want wants keep',
  decision:
    'decide decided deciding decision decisions will ll let go going chose chosen choose choosing agreed settled opt opted instead stick sticking choice switch switched switching approved confirmed pick picked',
  next: 'todo next need needs have has remaining still left tomorrow follow followup remember forget plan later pending open',
  done:
    'done fixed finished complete completed implemented created added updated removed sent booked installed wrote written deployed merged passes passed resolved works ready changed renamed migrated ' +
    'verified planted paid submitted saved replaced moved cleaned filed ordered signed uploaded generated sowed',
  running: 'working progress currently now running started begun under halfway partly',
  blocked: 'blocked stuck waiting access until depends unable cannot can',
  finding:
    'found show shows result results because cause caused causes total turns means measured reason average median',
  personal: 'my our i we name',
}

/** Beside those of the cues: Chinese characters occur. */
const hanBit = 256
const cueBits: Record<Cue, number> = {
  constraint: 1,
  decision: 2,
  next: 4,
  done: 8,
  running: 16,
  blocked: 32,
  finding: 64,
  personal: 128,
}
/**
 * By the last bits of the number that `triggerBits` makes of a word. Two words with one place only have a pattern tried
 * in vain.
 */
const triggers = new Uint16Array(8_192)
for (const [cue, words] of Object.entries(triggerWords))
  for (const word of words.split(' ')) triggers[placeOf(numberOf(word))]! |= cueBits[cue as Cue]
const longestTrigger = Math.max(
  ...Object.values(triggerWords).flatMap(words => words.split(' ').map(word => word.length)),
)

const latin: readonly (readonly [Cue, RegExp])[] = [
  [
    'constraint',
    /\b(?:must(?:n't)?|never|always|prefer(?:s|red|ence)?|do not|don'?t|no more than|at most|at least|avoid|without|requir(?:e|es|ed|ement)|make sure|ensure|limit(?:ed)?|deadline|budget|allerg(?:ic|y)|may not|cannot|forbidden|(?<=^|, |; |but |and )no (?!problem|idea|one|longer|doubt)[a-z]+|rules?|(?:please )?only|please (?:use|keep|write|answer)|i (?:like|hate|dislike)|(?:i|we) want(?:s)? (?:it|no|only)|should (?:not|never|always)|keep (?:it|the|all))\b/i,
  ],
  [
    'decision',
    /\b(?:decid(?:e|ed|ing)|decisions?|we(?:'ll| will| are going to) (?:use|go|keep|take|stay|do|move)|let'?s (?:go|use|take|keep|do|stick|move)|go(?:ing)? with|chos(?:e|en)|choos(?:e|ing)|agreed|settled on|opt(?:ed)? for|instead of|stick(?:ing)? (?:with|to)|choice|switch(?:ed|ing)? (?:to|from)|approved|confirmed|picked?)\b/i,
  ],
  [
    'next',
    /\b(?:todo|to-do|next(?: steps?)?|needs? (?:to|an?|the|some|more|another)|ha(?:ve|s) to|remaining|still (?:open|missing|to|needs?|has|have)|left to do|tomorrow|follow[- ]?up|remember to|(?:don'?t|not) forget|plan to|later|pending|open (?:question|point|item|task)s?)\b/i,
  ],
  [
    'done',
    /\b(?:done|fixed|finished|completed?|implemented|created|added|updated|removed|sent|booked|installed|wrote|written|deployed|merged|pass(?:es|ed)|resolved|works now|is ready|changed|renamed|migrated|verified|planted|paid|submitted|saved|replaced|moved|cleaned|filed|ordered|signed|uploaded|generated|sowed)\b/i,
  ],
  [
    'running',
    /\b(?:working on|in progress|currently|am now|i'm now|(?:is|are) (?:still )?running|started|begun|under way|halfway|partly)\b/i,
  ],
  [
    'blocked',
    /\b(?:blocked|stuck|waiting (?:for|on)|(?:cannot|can'?t) (?:continue|proceed|go on|start|access|be)|until|depends on|no access|unable to)\b/i,
  ],
  [
    'finding',
    /\b(?:found|shows?|results?|because|(?:root )?cause[ds]?|total|turns out|means|measured|reason|average|median)\b/i,
  ],
  ['personal', /\b(?:my|our|i am|i'm|i have|i've|we are|we have|name is)\b/i],
]

const han: readonly (readonly [Cue, RegExp])[] = [
  [
    'constraint',
    /必须|不要|不能|不可|不得|请用|请使用|务必|只能|只要|只用|偏好|喜欢|希望|一定要|禁止|避免|预算|截止|最多|至少|不超过|不许|别(?!的|人)|要求|过敏/,
  ],
  ['decision', /决定|就用|采用|选择|选定|选了|确定|定了|定下来|定为|定在|改为|改用|改成|同意|敲定|拍板|我们用/],
  ['next', /下一步|待办|还需要|需要|接下来|之后要|记得|别忘|明天|下周|尚未|还没|待确认|待定|后续|跟进|未完成/],
  [
    'done',
    /已经|已完成|完成了|搞定|修复了|已修复|写好|做好|发出|订好|通过了|已(?:发|订|改|加|建|删|提交|部署|上线|确认|更新|安排|联系)/,
  ],
  ['running', /正在|进行中|已开始|开始了/],
  ['blocked', /阻塞|卡住|卡在|等待|等(?:他|她|客户|审批|法务|对方|财务|回复)|无法|依赖于/],
  ['finding', /发现|结果|原因|因为|共计|合计|平均|表明|说明/],
  ['personal', /我的|我们的|我是|我有|我们有|我叫|本人/],
]

/** A negation or a promise before a finished thing: it is not finished. */
const unfinished =
  /\b(?:not|n't|never|will|to be|should|must|need(?:s|ed)? to|cannot|before|once|until|when|if|todo|next)\b|还没|尚未|没有|未|需要|待|如果/i

/** What a sentence is about; empty where it is ordinary talk. Never throws. */
export function cuesOf(sentence: string): ReadonlySet<Cue> {
  const text = sentence.length > LONGEST ? sentence.slice(0, LONGEST) : sentence
  const bits = triggerBits(text)
  if (bits === 0) return none
  let found = 0
  if (bits !== hanBit)
    for (const [cue, pattern] of latin) if ((bits & cueBits[cue]) !== 0 && pattern.test(text)) found |= cueBits[cue]
  if ((bits & hanBit) !== 0) for (const [cue, pattern] of han) if (pattern.test(text)) found |= cueBits[cue]
  if ((found & cueBits.done) !== 0 && unfinished.test(text)) found &= ~cueBits.done
  return setOf(found)
}

const none: ReadonlySet<Cue> = new Set()
/** One set for each combination: a long log has very many sentences. */
const sets: ReadonlySet<Cue>[] = [none]

function setOf(bits: number): ReadonlySet<Cue> {
  return (sets[bits] ??= new Set((Object.keys(cueBits) as Cue[]).filter(cue => (bits & cueBits[cue]) !== 0)))
}

/** Verbs that an order begins with. */
const orderVerbs = new Set(
  (
    'add adjust align apply arrange begin book bring build bump buy calculate call change check clean clear close collect combine compare compute configure connect convert copy correct create cut debug ' +
    'delete deploy design document download draft drop enable ensure explain export extend extract fill find finish fix format generate give go handle implement import improve include install integrate investigate keep let list look ' +
    'make measure merge migrate move open optimise optimize order pay plan port prepare print publish pull push put read rebuild record redesign reduce refactor register release remove rename render repair replace reply report reserve ' +
    'resolve restart restore return review revert rewrite run save schedule search send separate set show simplify sort split start stop store submit summarise summarize support switch sync test track translate try turn undo uninstall ' +
    'update upgrade upload use validate verify wire wrap write'
  ).split(' '),
)
/** What may come before the verb. */
const leadIn =
  /^(?:(?:and|also|then|next|now|first|second|finally|so|ok(?:ay)?|after that|afterwards|just|next step|todo|task)[,:]?\s+)+/i
const politely =
  /\bplease (?!tell|explain)|\b(?:can|could|would|will) you (?!tell|explain|say|see|remember)|\bi(?:'d| would) like you to\b|\bi (?:want|need) you to\b/i
const hanPolite = /请(?!问|教)|麻烦你?|帮(?:我|忙)/
const hanOrder =
  /^(?:(?:那|接下来|下一步|然后|现在|先|再|最后|另外|还要|我们)[，,：:、]?(?:来|要|需要)?)*(?:把|给(?:我|它|他)|实现|添加|增加|加上|修复|修改|改成|编写|写(?!得|的)|创建|新建|建立|删除|去掉|移除|更新|升级|检查|测试|运行|部署|整理|翻译|总结|生成|安排|预订|发送|准备|完成|重构|优化|调整|配置|安装|导出|导入|合并|提交|查(?:一下|找|看)|对比|计算|列出|设计|替换|上传|下载|联系)/

/** Whether a sentence orders something, also as a polite question. Never throws. */
export function isOrder(sentence: string): boolean {
  const text = sentence.length > LONGEST ? sentence.slice(0, LONGEST) : sentence
  const verb = /^[a-z]+/i.exec(text.slice(leadIn.exec(text)?.[0].length ?? 0))?.[0].toLowerCase()
  return (
    (verb !== undefined && orderVerbs.has(verb)) ||
    politely.test(text) ||
    hanPolite.test(text) ||
    (!isQuestion(text) && hanOrder.test(text))
  )
}

/** A question without an order: once it was answered, nothing is left to do. */
export function isOnlyQuestion(sentence: string): boolean {
  return isQuestion(sentence) && !isOrder(sentence)
}

export function isQuestion(sentence: string): boolean {
  return /[?？]["'”’」』)]*$/.test(sentence)
}

/**
 * The sentences of a text, trimmed: lines parted at the ends of sentences; code between fences is left out, bullets and
 * quote marks are taken off. Linear; never throws.
 */
export function* sentencesOf(text: string): Generator<string> {
  let fenced = false
  let from = 0
  while (from < text.length) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline
    let start = from
    let end = Math.min(to, from + 4_000)
    from = to + 1
    while (start < end && isBlank(text.charCodeAt(start))) start++
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--
    if (start === end) continue
    const first = text.charCodeAt(start)
    if (first === 0x60 && text.startsWith('```', start)) {
      fenced = !fenced
      continue
    }
    if (fenced || first === 0x23) continue // a heading
    // then no bullet, number or box
    const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a)
    const mark = isLetter
      ? ''
      : (/^(?:(?:[-*•>]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s*)?/.exec(text.slice(start, end))?.[0] ?? '')
    yield* partsOf(text, start + mark.length, end)
  }
}

/** As `trim` knows them. */
function isBlank(unit: number): boolean {
  return unit <= 0x20
    ? unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
    : unit >= 0x80 && /\s/.test(String.fromCharCode(unit))
}

/** The sentences of a line that lies between two places of a text. */
function* partsOf(text: string, start: number, end: number): Generator<string> {
  let from = start
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    if ((unit > 0x3f && unit < 0x3002) || unit === 0x20) continue // nearly all
    const latinEnd =
      (unit === 0x2e || unit === 0x21 || unit === 0x3f) &&
      i + 1 < end &&
      text.charCodeAt(i + 1) === 0x20 &&
      !isAbbreviation(text, start, i)
    if (!latinEnd && !(unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff1b)) continue
    const part = text.slice(from, i + 1).trim()
    if (part.length > 1) yield part
    from = i + 1
  }
  const last = text.slice(from, end).trim()
  if (last.length > 1) yield last
}

/** "e.g. this", "No. 7", "Dr. Who": a dot behind at most two letters, or behind a known short form, ends nothing. */
function isAbbreviation(text: string, start: number, dot: number): boolean {
  if (text.charCodeAt(dot) !== 0x2e) return false
  let from = dot
  while (from > start && dot - from <= longestShort && isShortUnit(text.charCodeAt(from - 1))) from--
  if (dot - from > longestShort) return false
  const word = text.slice(from, dot)
  return /^(?:e\.g|i\.e|etc|vs|no|nr|dr|mr|mrs|ms|st|approx|ca|cf|fig|art|sec)$/i.test(word) || /^[A-Z]$/.test(word)
}

const longestShort = 6 // "approx"

function isShortUnit(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x2e
}

/** The cues whose words occur, as bits, and `hanBit`. */
function triggerBits(text: string): number {
  let bits = 0
  let word = 0
  let letters = 0
  for (let i = 0; i <= text.length; i++) {
    const exact = i < text.length ? text.charCodeAt(i) : 0
    const unit = exact | 0x20
    if (exact >= 0x3400 && exact <= 0x9fff) bits |= hanBit
    if (unit >= 0x61 && unit <= 0x7a) {
      word = grown(word, unit)
      letters++
    } else if (letters > 0) {
      if (letters <= longestTrigger) bits |= triggers[placeOf(word)] ?? 0
      if (letters === 2 && unit === 0x2d && word === to) bits |= cueBits.next
      word = letters = 0
    }
  }
  return bits
}

/** A word with one more small letter, as a number of 30 bits. */
function grown(word: number, letter: number): number {
  return (Math.imul(word, 31) + letter) & 0x3fff_ffff
}

function placeOf(number: number): number {
  return (number ^ (number >>> 13)) & 8_191
}

function numberOf(word: string): number {
  let number = 0
  for (let i = 0; i < word.length; i++) number = grown(number, word.charCodeAt(i))
  return number
}

const to = numberOf('to')
