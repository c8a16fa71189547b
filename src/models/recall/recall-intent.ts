/** What a person wants from the built-in model, by plain rules. Pure. */
import { isStatement } from './recall-statement.ts'

export type Intent = 'empty' | 'greeting' | 'help' | 'thanks' | 'time' | 'files' | 'statement' | 'question'

/** Chinese where the question has Han characters and no Japanese or Korean ones, else English. */
export function questionLanguage(question: string): 'en' | 'zh' {
  return /\p{Script=Han}/u.test(question) &&
    !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(question)
    ? 'zh'
    : 'en'
}

const rules: readonly [Intent, RegExp][] = [
  [
    'greeting',
    /^(hi|hello|hey|good (morning|afternoon|evening)|yo|hallo|你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗)( there| recall| all|呀|啊)?$/i,
  ],
  [
    'thanks',
    /^(thanks|thank you|thx|ok|okay|great|cool|bye|goodbye|谢谢|多谢|感谢|好的|好|再见|拜拜)( (a lot|so much|very much|then))?(你|您|啦|了)?$/i,
  ],
  ['help', /^(help|帮助|怎么用|你是谁|您是谁|你能做什么|你会做什么|你可以做什么|你会什么|你能干什么|你是什么)$/i],
  [
    'help',
    /^(what|how) (can|do|could) (you|i|this|it) (do|use this|use you|help|use it|work)( for me| here)?$|^(who|what) are you$|^what is (this|recall|haversack)$|^how does (this|it) work$|^are you (an? )?(ai|llm|language model|real|human|bot)$/i,
  ],
  [
    'time',
    /^(what('s| is) the (time|date)|what time is it|what (day|date) is (it|today)|what('s| is) today'?s date|today'?s date|几点了?|现在几点了?|今天几号|今天星期几|今天(是)?什么日子)( now| today| please)?$/i,
  ],
  [
    'files',
    /^(list|show)( me)?( all| my| the)* files$|^what files (are there|do (i|you|we) have)$|^(列出|显示|有哪些)(所有)?文件$/i,
  ],
]

/** Bare question marks, stops and blanks at the ends do not matter. */
export function intentOf(question: string): Intent {
  const bare = question
    .normalize('NFKC')
    .replace(/[\s\p{P}\p{S}]+$/gu, '')
    .replace(/^[\s\p{P}\p{S}]+/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/’/g, "'")
  if (bare === '') return 'empty'
  const otherwise = isStatement(question) ? 'statement' : 'question'
  if (bare.length > 60) return otherwise
  const ruleFor = (text: string): Intent | undefined => rules.find(([, rule]) => rule.test(text))?.[0]
  // "Hello, what can you do?" wants to know what it can do.
  const behindGreeting = bare.replace(/^(hi|hello|hey|hallo|你好|您好|嗨)([\s\p{P}]+|(?=你能|你会|你是|你可以))/iu, '')
  return ruleFor(bare) ?? ruleFor(behindGreeting) ?? otherwise
}

/** The first web address in a question. */
export function firstUrl(question: string): string | undefined {
  const found = /https?:\/\/[^\s<>"'`，。、；）】」]+/i.exec(question)?.[0].replace(/[.,;:!?)\]]+$/, '')
  return found && URL.canParse(found) ? found : undefined
}

/** The first path of ours in a question (C9.2), with a line if one is named: `dialog/2026-01-31.jsonl:12`. */
export function firstPath(question: string): { path: string; line?: number } | undefined {
  const found =
    /(?<![\w/])((?:dialog|tool_result|user_text|answer|call|memory|workspace)\/[^\s:,;"'`()，。；（）]+|MEMORY\.md)(?::(\d+))?/.exec(
      question,
    )
  if (!found?.[1]) return undefined
  return { path: found[1].replace(/[.!?]+$/, ''), ...(found[2] ? { line: Number(found[2]) } : {}) }
}
