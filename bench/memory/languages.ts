/**
 * `npm run bench -- languages`: facts planted in Chinese, Japanese and Korean talk, found by the real tool with a
 * question in other words. What is called `AtWork` and `Traditional` was written when the ranking stood; only frequent
 * Japanese pairs came from it.
 */
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { fullArchive } from '../../src/core/agent/archive/readable-archive.ts'
import { SearchIndex } from '../../src/core/agent/search/search-index.ts'
import { toolLimits } from '../../src/core/agent/request/window-limits.ts'
import { AgentError } from '../../src/core/errors.ts'
import type { Entry } from '../../src/core/log/entry.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import type { Bench } from '../shared/machine.ts'
import { linearPattern } from '../../src/net/linear-pattern.ts'

/** Who and what can be combined freely, so that each fact has neighbours that share half of its words. */
type Language = {
  people: string[]
  things: string[]
  places: string[]
  facts: ((who: string, thing: string, place: string) => string)[]
  asks: ((who: string, thing: string) => string)[]
  talk: ((who: string, thing: string) => string)[]
}

const languages: Record<string, Language> = {
  chinese: {
    people: ['小林', '王芳', '老赵', '陈静', '刘洋', '周婷', '孙伟', '马丽', '高峰', '何欣'],
    things: [
      '相机',
      '护照',
      '雨伞',
      '旧钥匙',
      '吉他',
      '望远镜',
      '结婚照',
      '体检报告',
      '咖啡机',
      '备用手机',
      '围棋',
      '毛毯',
    ],
    places: [
      '书架最上层',
      '地下室的铁柜',
      '阳台的木箱',
      '办公室抽屉',
      '外婆家',
      '后备箱',
      '床底下的盒子',
      '健身房的储物柜',
    ],
    facts: [
      (who, thing, place) => `对了，${who}把${thing}放在${place}了。`,
      (who, thing, place) => `${who}说${thing}现在在${place}，别再找了。`,
      (who, thing, place) => `昨天整理的时候，${thing}被${who}搬到了${place}。`,
    ],
    asks: [(who, thing) => `${who}的${thing}放在哪里？`, (who, thing) => `去哪儿能找到${who}那个${thing}？`],
    talk: [
      who => `今天和${who}吃了饭，聊得很开心。`,
      (_, thing) => `你觉得买新的${thing}划算吗？`,
      who => `${who}最近工作很忙，周末也加班。`,
      () => '天气不错，我们去公园走走吧。',
      (_, thing) => `网上有人在卖二手的${thing}。`,
      () => '好的，明白了，谢谢你。',
      () => '碗放在水槽里就行，我来洗。',
      () => '车钥匙找到了，原来在包里。',
      () => '菜放在冰箱里了吗？',
    ],
  },
  chineseAtWork: {
    people: ['张伟明', '李建国', '欧阳娜娜', '林怡', '阿强', '郑老师', '客服小美', 'Kevin', '司马懿', '沈月'],
    things: [
      '预算上限',
      '合同编号',
      '交付日期',
      '会议室',
      '报销标准',
      '门禁密码',
      '供应商',
      '测试环境',
      '航班',
      '午餐偏好',
      '直属领导',
      '打印机型号',
    ],
    places: [
      '三百二十万',
      'HT-2026-0417',
      '六月十八号',
      '十二楼东侧',
      '每天四百块',
      '7731',
      '恒达五金',
      'staging-3',
      'MU5107',
      '不吃香菜',
      '市场部的周总',
      '惠普的那台旧的',
    ],
    facts: [
      (who, thing, place) => `${who}那边的${thing}定下来了，是${place}。`,
      (who, thing, place) => `记一下：${thing}这块${who}要的是${place}`,
      (who, thing, place) => `跟${who}确认过了，${thing}改成${place}，以后按这个来。`,
    ],
    asks: [
      (who, thing) => `${who}的${thing}是什么来着？`,
      (who, thing) => `我想知道${who}上次说的${thing}`,
      (who, thing) => `帮我查一下${thing}，${who}那个`,
    ],
    talk: [
      who => `${who}今天请假了，有事明天再说吧。`,
      (_, thing) => `大家对${thing}有什么想法？`,
      who => `我等会儿去找${who}聊聊。`,
      () => '收到，我先看一下文档。',
      (_, thing) => `${thing}的事情下次开会再讨论。`,
      () => '这个方案是不是可以再简单一点？',
      () => '你上次说的那个我忘了是什么来着。',
      () => '好，就这么定了。',
      () => '帮我查一下明天的天气。',
    ],
  },
  chineseTraditional: {
    people: ['陳怡君', '林志明', '阿嬤', '黃家豪', '美玲', '吳老師', '張雅婷', '小傑'],
    things: [
      '生日',
      '電話號碼',
      '過敏的東西',
      '最愛的餐廳',
      '搬家日期',
      '寵物的名字',
      '車牌',
      '鞋子尺寸',
      '血型',
      '畢業學校',
    ],
    places: [
      '十月三號',
      '0912-345-678',
      '花生跟蝦子',
      '巷口的牛肉麵',
      '下個月底',
      '叫做布丁',
      'ABC-5566',
      '二十五號半',
      'AB型',
      '成功大學',
    ],
    facts: [
      (who, thing, place) => `${who}說${thing}是${place}喔。`,
      (who, thing, place) => `欸，${thing}我問到了，${who}的話是${place}。`,
      (who, thing, place) => `幫我記住${who}的${thing}：${place}`,
    ],
    asks: [
      (who, thing) => `${who}的${thing}是什麼？`,
      (who, thing) => `你還記得${who}${thing}嗎？`,
      (who, thing) => `關於${who}，${thing}是多少`,
    ],
    talk: [
      who => `我昨天跟${who}去看電影。`,
      (_, thing) => `一般人會在意${thing}嗎？`,
      who => `${who}真的很會做菜。`,
      () => '好喔，沒問題。',
      (_, thing) => `你覺得${thing}重要嗎？`,
      () => '今天好累，想早點睡。',
      () => '這是什麼？你還記得嗎？',
      () => '幫我記住要買牛奶。',
    ],
  },
  japanese: {
    people: ['田中さん', '佐藤さん', '美咲', '健太', '山本先生', '由美', '大輔', '鈴木さん', '直樹', '彩香'],
    things: [
      'カメラ',
      'パスポート',
      '傘',
      '古い鍵',
      'ギター',
      '双眼鏡',
      'アルバム',
      '診断書',
      'コーヒーミル',
      '予備の電話',
      '将棋盤',
      '毛布',
    ],
    places: [
      '本棚の一番上',
      '地下室の棚',
      'ベランダの木箱',
      '会社の引き出し',
      '祖母の家',
      '車のトランク',
      'ベッドの下の箱',
      'ジムのロッカー',
    ],
    facts: [
      (who, thing, place) => `そういえば、${who}が${thing}を${place}に置きました。`,
      (who, thing, place) => `${who}によると${thing}は${place}にあるそうです。`,
      (who, thing, place) => `昨日の片付けで、${thing}は${who}が${place}へ移しました。`,
    ],
    asks: [
      (who, thing) => `${who}の${thing}はどこにありますか？`,
      (who, thing) => `${who}が置いた${thing}を探しています。場所は？`,
    ],
    talk: [
      who => `今日は${who}と食事をしました。`,
      (_, thing) => `新しい${thing}を買うべきでしょうか？`,
      who => `${who}は最近とても忙しいみたいです。`,
      () => '天気がいいので散歩に行きましょう。',
      (_, thing) => `中古の${thing}が売られていました。`,
      () => 'わかりました、ありがとうございます。',
      () => 'お皿はテーブルに置いてください。',
      () => '鍵を探していましたが、見つかりました。',
      () => '野菜は冷蔵庫にありますか？',
    ],
  },
  korean: {
    people: ['민수', '지영', '김 과장', '서연', '준호', '하늘', '박 선생님', '은지', '동현', '수빈'],
    things: [
      '카메라',
      '여권',
      '우산',
      '낡은 열쇠',
      '기타',
      '망원경',
      '앨범',
      '건강검진표',
      '커피 머신',
      '예비 전화기',
      '바둑판',
      '담요',
    ],
    places: [
      '책장 맨 위',
      '지하실 선반',
      '베란다 나무 상자',
      '사무실 서랍',
      '할머니 댁',
      '자동차 트렁크',
      '침대 밑 상자',
      '헬스장 사물함',
    ],
    facts: [
      (who, thing, place) => `참, ${who}가 ${thing}를 ${place}에 두었어요.`,
      (who, thing, place) => `${who} 말로는 ${thing}는 ${place}에 있대요.`,
      (who, thing, place) => `어제 정리하면서 ${thing}를 ${who}가 ${place}(으)로 옮겼어요.`,
    ],
    asks: [
      (who, thing) => `${who}의 ${thing}는 어디에 있나요?`,
      (who, thing) => `${who}가 둔 ${thing}를 찾고 있어요. 어디죠?`,
    ],
    talk: [
      who => `오늘 ${who}와 밥을 먹었어요.`,
      (_, thing) => `새 ${thing}를 사는 게 좋을까요?`,
      who => `${who}는 요즘 아주 바빠요.`,
      () => '날씨가 좋으니 산책하러 가요.',
      (_, thing) => `중고 ${thing}를 파는 사람이 있더라고요.`,
      () => '알겠어요, 고마워요.',
      () => '접시는 식탁에 두면 돼요.',
      () => '열쇠를 찾고 있었는데 가방에 있었어요.',
      () => '채소는 냉장고에 두었나요?',
    ],
  },
  japaneseAtWork: {
    people: ['中村部長', '小林', '加藤さん', '渡辺課長', '真央', '高橋', '松本さん', 'ケビン'],
    things: [
      '予算の上限',
      '契約番号',
      '納期',
      '会議室',
      '暗証番号',
      '取引先',
      'テスト環境',
      '便名',
      '苦手な食べ物',
      'プリンター',
      '誕生日',
      '内線番号',
    ],
    places: [
      '三百二十万円',
      'HT-2026-0417',
      '六月十八日',
      '十二階の東側',
      '7731',
      '恒和金属',
      'staging-3',
      'NH847',
      'パクチー',
      '古い方の複合機',
      '十一月二日',
      '4021',
    ],
    facts: [
      (who, thing, place) => `${who}の${thing}が決まって、${place}になりました。`,
      (who, thing, place) => `メモ：${thing}について、${who}は${place}だそうです`,
      (who, thing, place) => `${who}に確認したら${thing}は${place}とのことでした。`,
    ],
    asks: [
      (who, thing) => `${who}の${thing}は何でしたっけ？`,
      (who, thing) => `この前${who}が言っていた${thing}を教えて`,
      (who, thing) => `${thing}を調べてください。${who}の分です。`,
    ],
    talk: [
      who => `${who}は今日お休みです。`,
      (_, thing) => `${thing}についてどう思いますか？`,
      who => `あとで${who}と話してみます。`,
      () => '了解しました。資料を見てみます。',
      (_, thing) => `${thing}の件は次の会議で話しましょう。`,
      () => 'この前言っていたのは何でしたっけ？',
      () => '明日の天気を調べてください。',
      () => 'もう少し簡単にできませんか。',
    ],
  },
  koreanAtWork: {
    people: ['김민준', '이 부장님', '박서윤', '최 대리', '정우', '한지민', '케빈', '오 선생님'],
    things: [
      '예산 한도',
      '계약 번호',
      '납품일',
      '회의실',
      '출입 비밀번호',
      '거래처',
      '테스트 서버',
      '항공편',
      '못 먹는 음식',
      '프린터',
      '생일',
      '내선 번호',
    ],
    places: [
      '삼억 이천만 원',
      'HT-2026-0417',
      '유월 십팔일',
      '십이 층 동쪽',
      '7731',
      '대한철물',
      'staging-3',
      'KE703',
      '고수',
      '오래된 복합기',
      '십일월 이일',
      '4021',
    ],
    facts: [
      (who, thing, place) => `${who} ${thing}이 정해졌는데 ${place}래요.`,
      (who, thing, place) => `메모: ${thing}, ${who} 쪽은 ${place}`,
      (who, thing, place) => `${who}에게 확인했더니 ${thing}은 ${place}라고 합니다.`,
    ],
    asks: [
      (who, thing) => `${who} ${thing}이 뭐였죠?`,
      (who, thing) => `지난번에 ${who}이 말한 ${thing} 알려 줘`,
      (who, thing) => `${thing}을 찾아봐 줘, ${who} 것으로`,
    ],
    talk: [
      who => `${who}은 오늘 휴가예요.`,
      (_, thing) => `${thing}에 대해 어떻게 생각해요?`,
      who => `이따가 ${who}하고 이야기해 볼게요.`,
      () => '네, 자료를 먼저 볼게요.',
      (_, thing) => `${thing} 건은 다음 회의에서 이야기해요.`,
      () => '지난번에 말한 게 뭐였죠?',
      () => '내일 날씨를 찾아봐 줘.',
      () => '조금 더 간단하게 할 수 없을까요?',
    ],
  },
}

const turns = 2_000
const now = new Date(2026, 5, 1).getTime()

export const planted: Bench = async () => {
  const result: Record<string, object> = {}
  for (const [name, language] of Object.entries(languages)) result[name] = await measure(language)
  return {
    note: 'at10: share of questions whose planted fact is among the ten passages of one memory_search',
    turns,
    ...result,
  }
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
    const fact = i % spacing === 3 && asked < questions.length ? questions[asked++] : undefined
    const id = `e${i}`
    if (fact) fact.id = id
    const text = fact ? of(facts)(fact.who, fact.thing, of(places)) : of(talk)(of(people), of(things))
    const base = { id, parent: i === 0 ? null : `e${i - 1}`, at: now - (turns - i) * 900_000, text }
    return i % 2 === 0
      ? { ...base, type: 'user' }
      : { ...base, type: 'assistant', calls: [], model: 'bench', local: true, stop: 'stop' }
  })
  const rows = await store.append('talk', entries)
  const anchors = new Map(rows.map(row => [row.entry.id, `dialog/${row.day}.jsonl:${row.line} `]))
  const search = new SearchIndex(store)
  const times: number[] = []
  let found = 0
  for (const { who, thing, id } of questions.slice(0, asked)) {
    const started = performance.now()
    const answer = await memorySearch.run(
      { query: of(asks)(who, thing) },
      {
        session: 'other',
        archive: fullArchive(store),
        search,
        signal: new AbortController().signal,
        givenPassages: new Set(),
        ...toolLimits(65_536),
        world: { now: () => now, newId: () => 'x', sleep: () => Promise.resolve() },
        compilePattern: linearPattern,
        readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
      },
    )
    times.push(performance.now() - started)
    if (new RegExp(`^\\d+\\. ${anchors.get(id)?.replaceAll('.', '\\.')}`, 'm').test(answer)) found++
  }
  times.sort((a, b) => a - b)
  return {
    questions: asked,
    at10: Math.round((found / asked) * 10_000) / 10_000,
    p95ms: Math.round(times[Math.floor(times.length * 0.95)]! * 100) / 100,
  }
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
