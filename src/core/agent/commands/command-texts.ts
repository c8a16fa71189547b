/** What is said of commands themselves, by language. */
import type { Language } from '../api/api.ts'
import { withIsolatedArguments } from '../../text/display/isolate.ts'

type CommandTexts = {
  unknown: (name: string, near: readonly string[]) => string
  noCommand: string
  help: string
}

export const commandTexts: Record<Language, CommandTexts> = withIsolatedArguments({
  en: {
    unknown: (name, near) =>
      `There is no command /${name}.${near.length > 0 ? ` Did you mean ${near.map(one => `/${one}`).join(', ')}?` : ' /help lists them.'}`,
    noCommand: 'This begins with a slash but is no command. A message that shall begin with one is typed with two.',
    help: 'Commands:',
  },
  zh: {
    unknown: (name, near) =>
      `没有 /${name} 这个命令。${near.length > 0 ? `你是不是想用 ${near.map(one => `/${one}`).join('、')}？` : '输入 /help 查看全部命令。'}`,
    noCommand: '这段文字以斜杠开头，但不是命令。若消息本身要以斜杠开头，请输入两个斜杠。',
    help: '命令：',
  },
})
