/**
 * Every text that the person reads, by language. A key that a language lacks fails the build: both are of type `Words`.
 */
import type { Code } from '../../core/errors.ts'
import { chat } from './en/chat-en.ts'
import { shell } from './en/app-en.ts'

/** The part of the talk: messages, tool calls, notes, message box. */
export type ChatWords = typeof chat
/** Everything around the talk. */
export type ShellWords = typeof shell
export type Words = {
  language: Language
  chat: ChatWords
  shell: ShellWords
  /** A sentence for an error; undefined where its own message does, as in English. */
  explain(code: Code, data: Readonly<Record<string, unknown>>): string | undefined
}
export type Language = 'en' | 'zh'

const english: Words = { language: 'en', chat, shell, explain: () => undefined }
let current: Words = english

/** The texts of the chosen language. Components read it when they are made; a change of language makes them anew. */
export function words(): Words {
  return current
}

/** Loads a language and makes it the current one; English is always there. */
export async function useLanguage(language: Language): Promise<void> {
  if (language === 'en') current = english
  else {
    const [chatWords, shellWords, { explain }] = await Promise.all([
      import('./zh/chat-zh.ts'),
      import('./zh/app-zh.ts'),
      import('./zh/errors-zh.ts'),
    ])
    current = { language, chat: chatWords.chat, shell: shellWords.shell, explain }
  }
}

/** The language that fits the browser's list best: the first one that we speak, English if none. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (/^zh\b/i.test(tag)) return 'zh'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return 'en'
}
