/** Everyday words that people exchange between saying and asking: "it cost", "how much did I pay". Pure. */
import { stem } from './terms.ts'

const latin: readonly string[][] = (
  'job work works profession employed career|price cost costs pay paid spend spent expensive cheap money|move moved live lives reside home address|borrow borrowed lend lent loan|' +
  'begin begins began start starts started first beginning|end ends ended finish finished last|replace replaced exchange swap new|buy bought purchase purchased get got order ordered|' +
  'sell sold sale|put place placed keep kept leave left lie lies store stored stand stands|date day when month week|choose chose chosen pick picked decide decided decision|' +
  'recommend recommended suggest suggested advice advise advised tip|name called call named|wife husband spouse partner married|mother mum mom|father dad|sister brother sibling|child children son daughter kid kids|' +
  'doctor physician dentist|car vehicle|repair repaired fix fixed mend mended|service serviced maintain maintenance|trip travel travels flight fly flies flew journey vacation holiday holidays|' +
  'meet meeting met appointment|eat ate eats food dish meal dinner lunch|like likes love loves favourite favorite prefer prefers|hate hates dislike avoid|' +
  'fast quick speed|slow slowly|large big size|error bug fault failure fail failed crash|use uses used using|need needs want wants require required|reason because why|' +
  'allergy allergic|born birth birthday|city town|phone number telephone|flat apartment house|film movie|shop store|photo picture|email mail|teach teacher taught|study studies student school university|' +
  'write wrote written author|read reading book|limit maximum most|often interval frequency every|long duration hours minutes'
)
  .split('|')
  .map(group => group.split(' '))
const letters: readonly string[][] = (
  '价格 价钱 价 钱 花了 花 费用 多少钱|住 住在 搬 搬家 搬到 搬去 地址|借 借给 借走 借出 借了|开头 开始 前几 第一|更换 换 换新 替换|买 购买 订购|卖 出售|' +
  '放 放在 放到 存|工作 职业 上班 当|建议 推荐 劝|决定 选 选择 定下|修 修理 维修|保养 维护|生日 出生|过敏 忌口|旅行 出差 航班 飞|吃 饭 菜|喜欢 爱 偏好|名字 叫 称呼|电话 号码|期限 截止 日期|间隔 周期 多久|' +
  '價格 價錢 錢 花了 費用|住 搬 搬家 地址|更換 換|買 購買|工作 職業 上班|建議 推薦|決定 選|生日 出生|過敏|' +
  '置い 置き 置く 移し 場所|値段 価格 円 費用|始まり 最初|住ん 引っ越|買っ 買い|貸し 借り|仕事 勤め|두었 둔 옮겼 두었 놓|가격 값 원 비용|시작 처음|살고 이사|샀 구입|빌려 빌린|직업 일'
)
  .split('|')
  .map(group => group.split(' '))

const byStem = new Map<string, Set<string>>()
for (const group of latin) {
  const stems = group.map(stem)
  for (const one of stems) byStem.set(one, new Set([...(byStem.get(one) ?? []), ...stems]))
}

/** Stems that may stand for this one; none for most. */
export function likeStems(term: string): ReadonlySet<string> {
  return byStem.get(term) ?? none
}
const none: ReadonlySet<string> = new Set()

/** Chinese, Japanese or Korean words that may stand for this one. */
export function likeWords(word: string): readonly string[] {
  return letters.filter(group => group.includes(word)).flat()
}
