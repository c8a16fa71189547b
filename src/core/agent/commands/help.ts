/** /help: the list, with one line each. */
import type { Command } from './command.ts'
import { commandTexts } from './command-texts.ts'
import { commandList } from './list.ts'
import { noteText } from './note-text.ts'

export const helpCommand: Command = async ({ language }) => ({
  note: noteText([
    commandTexts[language].help,
    ...commandList.map(({ name, zh, args, also = [], description }) => {
      const names = (language === 'zh' ? [zh, name, ...also] : [name, ...also]).map(one => `/${one}`).join(', ')
      return `- ${names}${args === '' ? '' : ` ${args}`}: ${description[language]}`
    }),
  ]),
})
