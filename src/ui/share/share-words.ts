/** What a shared file says besides the messages, in the language of the screen. */
import type { Language } from '../../core/agent/api/api.ts'
import type { StopReason } from '../../core/log/message.ts'
import { shareTexts } from '../i18n/share.ts'
import { shownTitle } from '../i18n/shown-title.ts'
import { texts } from '../i18n/texts.ts'

export type ShareWords = {
  language: Language
  you: string
  assistant: string
  arguments: string
  result: string
  failed: string
  attached: string
  /** Of a chat that has no name. */
  title(name: string): string
  about(day: string): string
  endings: Partial<Record<StopReason, string>>
}

export function shareWords(): ShareWords {
  const { chat, language } = texts()
  const { attached, failed, about } = shareTexts()
  return {
    language,
    you: chat.you,
    assistant: chat.assistant,
    arguments: chat.arguments,
    result: chat.result,
    failed,
    attached,
    title: shownTitle,
    about,
    endings: {
      length: chat.lengthReached,
      filtered: chat.filtered,
      stopped: chat.stoppedByYou,
      interrupted: chat.interrupted,
      failed: chat.failedMidway,
    },
  }
}
