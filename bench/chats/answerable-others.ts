/** The chats in Japanese and Korean, with questions that nothing in them answers. */
import type { AnswerableLanguage } from './answerable-chats.ts'
import { answerableChinese } from './answerable-chinese.ts'
import type { ChatLanguage } from './chat-language.ts'
import { chineseChats } from './chinese-chats.ts'
import { japaneseAndKoreanChats } from './japanese-korean-chats.ts'

type Others = Pick<AnswerableLanguage, 'strangers' | 'unknownThings' | 'replies' | 'general'>

function answerable({ people, things, places, facts, asks, talk }: ChatLanguage, others: Others): AnswerableLanguage {
  return {
    people,
    things,
    kinds: [
      {
        said: facts.map(
          fact =>
            ({ who, thing, value }) =>
              fact(who, thing, value),
        ),
        asked: asks.map(
          ask =>
            ({ who, thing }) =>
              ask(who, thing),
        ),
        about: 'both',
        values: places,
      },
    ],
    talk,
    ...others,
  }
}

const chinese: Others = {
  strangers: ['魏国强', '唐小雨', '邓凯', '蒋老师', '余经理'],
  unknownThings: ['车位', '发票抬头', '保险单', '工位号', '体检时间'],
  replies: ['好的，需要我做什么吗？', '明白了。', '记下了。', '不客气。', '这要看具体情况。'],
  general: answerableChinese.general,
}

const japanese: Others = {
  strangers: ['石田さん', '恵子', '森下先生', '翔太', '内田さん'],
  unknownThings: ['ヨット', 'アコーディオン', '顕微鏡', '芝刈り機', '浮世絵'],
  replies: [
    'いいですね。何かお手伝いしましょうか？',
    '承知しました。',
    'メモしました。',
    'どういたしまして。',
    '使う頻度によると思います。',
  ],
  general: [
    '自転車はなぜ倒れないのですか？',
    'オーストラリアの首都はどこですか？',
    '蜘蛛の足は何本ですか？',
    '秋の詩を書いてください',
    'モナリザを描いたのは誰ですか？',
    '空はなぜ青いのですか？',
    'エタノールの沸点は何度ですか？',
    'プログラマーの冗談を言って',
    '月までの距離はどのくらいですか？',
    '光合成の仕組みを説明してください',
    '黒猫の名前を考えて',
    'パンケーキの作り方を教えて',
  ],
}

const korean: Others = {
  strangers: ['태윤', '나리', '최 부장', '영호', '가은'],
  unknownThings: ['요트', '아코디언', '현미경', '잔디깎이', '색소폰'],
  replies: [
    '좋네요. 제가 도와드릴 일이 있을까요?',
    '알겠습니다.',
    '메모했습니다.',
    '천만에요.',
    '얼마나 자주 쓰는지에 달렸어요.',
  ],
  general: [
    '자전거는 왜 넘어지지 않나요?',
    '호주의 수도는 어디인가요?',
    '거미의 다리는 몇 개인가요?',
    '가을에 대한 시를 써 주세요',
    '모나리자는 누가 그렸나요?',
    '하늘은 왜 파란가요?',
    '에탄올의 끓는점은 몇 도인가요?',
    '프로그래머 농담 하나 해 줘',
    '달까지의 거리는 얼마나 되나요?',
    '광합성의 원리를 설명해 줘',
    '검은 고양이 이름을 지어 줘',
    '팬케이크 만드는 법을 알려 줘',
  ],
}

const chatOf = (name: string): ChatLanguage => ({ ...chineseChats, ...japaneseAndKoreanChats })[name]!

/** For fitting: mostly talk at home. */
export const otherChatsToFit: Record<string, AnswerableLanguage> = {
  chineseAtWork: answerable(chatOf('chineseAtWork'), chinese),
  japanese: answerable(chatOf('japanese'), japanese),
  korean: answerable(chatOf('korean'), korean),
}

/** For checking: talk at work, with questions in other words. */
export const otherChatsToCheck: Record<string, AnswerableLanguage> = {
  chineseAtWork: answerable(
    {
      ...chatOf('chineseAtWork'),
      asks: [
        (who, thing) => `${who}的${thing}最后定成什么了？`,
        (who, thing) => `${thing}，${who}是怎么说的？`,
        (who, thing) => `你记不记得${who}要的${thing}？`,
      ],
    },
    chinese,
  ),
  japaneseAtWork: answerable(
    {
      ...chatOf('japaneseAtWork'),
      asks: [
        (who, thing) => `${who}の${thing}、前に話したはずですが？`,
        (who, thing) => `メモしておいた${who}の${thing}を見せてください`,
        (who, thing) => `${thing}ですが、${who}の場合はどうでしたか？`,
      ],
    },
    japanese,
  ),
  koreanAtWork: answerable(
    {
      ...chatOf('koreanAtWork'),
      asks: [
        (who, thing) => `${who} ${thing} 정해졌나요?`,
        (who, thing) => `${thing}에 대해 ${who}에게 확인한 내용이 뭐죠?`,
        (who, thing) => `${who}의 ${thing}이 생각 안 나요`,
      ],
    },
    korean,
  ),
}
