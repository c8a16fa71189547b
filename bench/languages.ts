/** `npm run bench -- languages`: facts planted in Chinese, Japanese and Korean talk, found by the real tool with a question in other words. */
import { memorySearch } from '../src/core/agent/tools/memory-search.ts'
import { SearchIndex } from '../src/core/agent/search-index.ts'
import { toolLimits } from '../src/core/agent/window-limits.ts'
import { AgentError } from '../src/core/errors.ts'
import type { Entry } from '../src/core/log/entry.ts'
import { MemoryStore } from '../src/storage/memory-store.ts'
import type { Bench } from './machine.ts'

/** Who and what can be combined freely, so that each fact has neighbours that share half of its words. */
type Language = { people: string[]; things: string[]; places: string[]; facts: ((who: string, thing: string, place: string) => string)[]; asks: ((who: string, thing: string) => string)[]; talk: ((who: string, thing: string) => string)[] }

const languages: Record<string, Language> = {
  chinese: {
    people: ['小林', '王芳', '老赵', '陈静', '刘洋', '周婷', '孙伟', '马丽', '高峰', '何欣'],
    things: ['相机', '护照', '雨伞', '旧钥匙', '吉他', '望远镜', '结婚照', '体检报告', '咖啡机', '备用手机', '围棋', '毛毯'],
    places: ['书架最上层', '地下室的铁柜', '阳台的木箱', '办公室抽屉', '外婆家', '后备箱', '床底下的盒子', '健身房的储物柜'],
    facts: [(who, thing, place) => `对了，${who}把${thing}放在${place}了。`, (who, thing, place) => `${who}说${thing}现在在${place}，别再找了。`, (who, thing, place) => `昨天整理的时候，${thing}被${who}搬到了${place}。`],
    asks: [(who, thing) => `${who}的${thing}放在哪里？`, (who, thing) => `去哪儿能找到${who}那个${thing}？`],
    talk: [who => `今天和${who}吃了饭，聊得很开心。`, (_, thing) => `你觉得买新的${thing}划算吗？`, who => `${who}最近工作很忙，周末也加班。`, () => '天气不错，我们去公园走走吧。', (_, thing) => `网上有人在卖二手的${thing}。`, () => '好的，明白了，谢谢你。', () => '碗放在水槽里就行，我来洗。', () => '车钥匙找到了，原来在包里。', () => '菜放在冰箱里了吗？'],
  },
  japanese: {
    people: ['田中さん', '佐藤さん', '美咲', '健太', '山本先生', '由美', '大輔', '鈴木さん', '直樹', '彩香'],
    things: ['カメラ', 'パスポート', '傘', '古い鍵', 'ギター', '双眼鏡', 'アルバム', '診断書', 'コーヒーミル', '予備の電話', '将棋盤', '毛布'],
    places: ['本棚の一番上', '地下室の棚', 'ベランダの木箱', '会社の引き出し', '祖母の家', '車のトランク', 'ベッドの下の箱', 'ジムのロッカー'],
    facts: [(who, thing, place) => `そういえば、${who}が${thing}を${place}に置きました。`, (who, thing, place) => `${who}によると${thing}は${place}にあるそうです。`, (who, thing, place) => `昨日の片付けで、${thing}は${who}が${place}へ移しました。`],
    asks: [(who, thing) => `${who}の${thing}はどこにありますか？`, (who, thing) => `${who}が置いた${thing}を探しています。場所は？`],
    talk: [who => `今日は${who}と食事をしました。`, (_, thing) => `新しい${thing}を買うべきでしょうか？`, who => `${who}は最近とても忙しいみたいです。`, () => '天気がいいので散歩に行きましょう。', (_, thing) => `中古の${thing}が売られていました。`, () => 'わかりました、ありがとうございます。', () => 'お皿はテーブルに置いてください。', () => '鍵を探していましたが、見つかりました。', () => '野菜は冷蔵庫にありますか？'],
  },
  korean: {
    people: ['민수', '지영', '김 과장', '서연', '준호', '하늘', '박 선생님', '은지', '동현', '수빈'],
    things: ['카메라', '여권', '우산', '낡은 열쇠', '기타', '망원경', '앨범', '건강검진표', '커피 머신', '예비 전화기', '바둑판', '담요'],
    places: ['책장 맨 위', '지하실 선반', '베란다 나무 상자', '사무실 서랍', '할머니 댁', '자동차 트렁크', '침대 밑 상자', '헬스장 사물함'],
    facts: [(who, thing, place) => `참, ${who}가 ${thing}를 ${place}에 두었어요.`, (who, thing, place) => `${who} 말로는 ${thing}는 ${place}에 있대요.`, (who, thing, place) => `어제 정리하면서 ${thing}를 ${who}가 ${place}(으)로 옮겼어요.`],
    asks: [(who, thing) => `${who}의 ${thing}는 어디에 있나요?`, (who, thing) => `${who}가 둔 ${thing}를 찾고 있어요. 어디죠?`],
    talk: [who => `오늘 ${who}와 밥을 먹었어요.`, (_, thing) => `새 ${thing}를 사는 게 좋을까요?`, who => `${who}는 요즘 아주 바빠요.`, () => '날씨가 좋으니 산책하러 가요.', (_, thing) => `중고 ${thing}를 파는 사람이 있더라고요.`, () => '알겠어요, 고마워요.', () => '접시는 식탁에 두면 돼요.', () => '열쇠를 찾고 있었는데 가방에 있었어요.', () => '채소는 냉장고에 두었나요?'],
  },
}

const turns = 2_000
const now = new Date(2026, 5, 1).getTime()

export const planted: Bench = async () => {
  const result: Record<string, object> = {}
  for (const [name, language] of Object.entries(languages)) result[name] = await measure(language)
  return { note: 'at10: share of questions whose planted fact is among the ten passages of one memory_search', turns, ...result }
}

async function measure({ people, things, places, facts, asks, talk }: Language): Promise<object> {
  const pick = dice()
  const of = <T>(list: readonly T[]): T => list[Math.floor(pick() * list.length)]!
  const store = new MemoryStore()
  await store.createSession({ id: 'talk', title: '', createdAt: 0, updatedAt: 0, leaf: null })
  const pairs = people.flatMap(who => things.map(thing => ({ who, thing, id: '' })))
  const questions = pairs.filter(() => pick() < 0.9)
  const spacing = Math.floor(turns / questions.length)
  let asked = 0
  const entries = Array.from({ length: turns }, (_, i): Entry => {
    const fact = i % spacing === 3 ? questions[asked++] : undefined
    const id = `e${i}`
    if (fact) fact.id = id
    const text = fact ? of(facts)(fact.who, fact.thing, of(places)) : of(talk)(of(people), of(things))
    const base = { id, parent: i === 0 ? null : `e${i - 1}`, at: now - (turns - i) * 900_000, text }
    return i % 2 === 0 ? { ...base, type: 'user' } : { ...base, type: 'assistant', calls: [], model: 'bench', local: true, stop: 'stop' }
  })
  const rows = await store.append('talk', entries)
  const anchors = new Map(rows.map(row => [row.entry.id, `dialog/${row.day}.jsonl:${row.line} `]))
  const search = new SearchIndex(store)
  const times: number[] = []
  let found = 0
  for (const { who, thing, id } of questions.slice(0, asked)) {
    const started = performance.now()
    const answer = await memorySearch.run({ query: of(asks)(who, thing) }, {
      session: 'other', store, search, signal: new AbortController().signal, given: new Set(), ...toolLimits(65_536),
      world: { now: () => now, newId: () => 'x', sleep: () => Promise.resolve() }, readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
    })
    times.push(performance.now() - started)
    if (new RegExp(`^\\d+\\. ${anchors.get(id)?.replaceAll('.', '\\.')}`, 'm').test(answer)) found++
  }
  times.sort((a, b) => a - b)
  return { questions: asked, at10: Math.round(found / asked * 10_000) / 10_000, p95ms: Math.round(times[Math.floor(times.length * 0.95)]! * 100) / 100 }
}

/** The same chances in each run (mulberry32). */
function dice(): () => number {
  let state = 20_260_601
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
