/** /help: the list, with one line each. */
import type { Command } from './command.ts'
import { commandTexts } from './command-texts.ts'
import { commandList } from './list.ts'
import { noteText } from './note-text.ts'

export const helpCommand: Command = async ({ language }) => ({
  note: noteText([
    commandTexts[language].help,
    ...commandList.map(({ name, args, also, description }) => {
      const names = [name, ...(also ?? [])].map(one => `/${one}`).join(', ')
      return `- ${names}${args === '' ? '' : ` ${args}`}: ${description[language]}`
    }),
  ]),
})
