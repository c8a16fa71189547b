/**
 * Every text that the person reads, by language. A key that a language lacks fails the build: both are of type
 * `UiTexts`.
 */
import type { Language } from '../../core/agent/api/api.ts'
import type { Code } from '../../core/errors.ts'
import { chatEn } from './en/chat-en.ts'
import { appEn } from './en/app-en.ts'
import { writeNumbersIn } from './format/format.ts'

/** Texts of the chat: messages, tool calls, notes, message box. */
export type ChatTexts = typeof chatEn
/** Texts of everything around the chat. */
export type AppTexts = typeof appEn
export type UiTexts = {
  language: Language
  chat: ChatTexts
  app: AppTexts
  /** A sentence for an error; undefined where its own message does, as in English. */
  explain(code: Code, data: Readonly<Record<string, unknown>>): string | undefined
}

const english: UiTexts = { language: 'en', chat: chatEn, app: appEn, explain: () => undefined }
let current: UiTexts = english

/**
 * The texts of the chosen language. Components read them when they are created, and are created again when the language
 * changes.
 */
export function texts(): UiTexts {
  return current
}

/** Loads a language and makes it the current one; English is always there. */
export async function useLanguage(language: Language): Promise<void> {
  writeNumbersIn(language)
  if (language === 'en') current = english
  else {
    const [chatWords, shellWords, { explain }] = await Promise.all([
      import('./zh/chat-zh.ts'),
      import('./zh/app-zh.ts'),
      import('./zh/errors-zh.ts'),
    ])
    current = { language, chat: chatWords.chatZh, app: shellWords.appZh, explain }
  }
}

/** The language that fits the browser's list best: the first one that we speak, English if none. */
export function browserLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    if (/^zh\b/i.test(tag)) return 'zh'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return 'en'
}
