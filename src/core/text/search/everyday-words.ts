/** Words that many questions have whatever they are about: they tell little, however rare they are here. Pure. */
import { stem } from './terms.ts'

const words: ReadonlySet<string> = new Set(
  (
    'us must come comes coming eat eats according due about after again all already also always am another any anybody anyone anything around ask away back before began begin begun best better big ' +
    'both bring call came come day decide decided decision did does done each else end ever every everybody everyone everything exactly explain find first forgot forget found full ' +
    'gave get give given go going gone good got had happen happened have having here how however idea just keep kept kind knew know last later leave left let ' +
    'like list little live long look lot made make many matter mean might mine more most much must name need never new next nice now number often old once ' +
    'one only other ought own part pay people person pick place plan please point pretty put quite rather read real really recently recommend remember remind right said same save saw say see seem ' +
    'set several shall should show since some somebody someone something sometimes somewhere soon start started still stop such suggest sure take taken talk tell than thank ' +
    'thing think though thought time today together told tomorrow too took try turn type until use used using usual very want wanted was way week well went ' +
    'were whatever while whole wish without wonder word work works would write written wrong year yes yesterday yet your'
  )
    .split(' ')
    .map(stem),
)
/** The same in pairs of letters, of Chinese, Japanese and Korean. */
const pairs: ReadonlySet<string> = new Set(
  (
    '哪天 哪年 哪位 放到 放在 到哪 去哪 在哪 有没 没有 知道 记得 記得 想要 需要 应该 應該 觉得 覺得 现在 現在 后来 後來 上次 以前 之前 最近 东西 東西 事情 地方 问题 問題 关于 關於 ' +
    '告诉 告訴 帮我 幫我 找到 看看 查一 一查 一下 多长 多久 是不 是否 能不 不能 打算 决定 決定 为何 爲何 为什 怎样 怎樣 ' +
    '場所 教え 探し 調べ 何で しっけ でし 言っ この 前に 分で です ' +
    '찾고 있어 고있 있나 무엇 알려 어디 뭐였 였지 말한' +
    ' 不用 比较 比較 一般 其实 其實 内容 內容 情况 情況 样子 事儿 当初 如今 旧的 新的 原因 准备 準備 注意 应当 不见 不見 そう こと 件 内容 方 話 内容は 내용 생각 대해 관해 정도 일 것이 말인데 걸로 找不 不到 找不到 想不起 记不得 不记得 忘了 忘记 记住 提醒 查查 问问 什么样 有什么 做什么 几月 几号 多长时间 什么地方 哪种 哪一 请问 大概 到底 究竟 一回 一次 是不是 那里 那裡 这里 這裡 出去 还有 最后 当时 时间 日子 食物 时候 什么 什麼 什么时候 什麼時候 多少 多少钱 多少錢 怎么 怎麼 怎么样 为什么 為什麼 哪里 哪裡 哪儿 哪个 哪些 几个 どこ 何 誰 いつ あり ありま なに どれ いくら 어디 무엇 뭐 누구 언제 얼마 것으 것 거 분 쪽 알고 좀 혹시 했었 뭐라 무슨 어느 언제 기억 찾아봐 찾아 알려줘 말해 가르쳐 확인'
  ).split(' '),
)

/** Whether a term is one of everyday: a verb of doing, wanting, knowing, a word for a time or a thing at large. */
export function isEveryday(term: string): boolean {
  return words.has(term) || pairs.has(term)
}
