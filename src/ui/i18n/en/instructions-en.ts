/** Instructions, how answers are written, and prompts, in English. */
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const instructionsEn = withIsolatedArguments({
  all: 'Instructions for all chats',
  allText:
    'What the model should always know or keep to: who you are, the language, the tone. It is sent with every question, to whichever model answers.',
  allPlaceholder: 'For example: Answer in British English. Be brief. I write TypeScript.',
  chat: 'Instructions for this chat',
  chatText: 'They come on top of those for all chats; where the two differ, these count.',
  length: (n: number, most: number) => `${groupedNumber(n)} of ${groupedNumber(most)} characters`,
  saved: 'Saved',
  notSaved: 'Not saved',

  answers: 'How answers are written',
  temperature: 'Temperature',
  temperatureText: '0 is the most even, 2 the most varied. Empty: as the model does by itself.',
  byItself: 'by itself',
  limit: 'Longest answer, in tokens',
  limitText: 'Thoughts count too. Empty: by the size of the window.',
  effort: 'Thinking',
  effortText: 'Only for models that can be told.',

  prompts: 'Prompts',
  promptsText:
    'Texts that you use again. Type / and the name in the message box: the text is put there, and you send it. {{words in double braces}} are marked to be filled in. They are files in workspace/prompts/.',
  noPrompts: 'None yet.',
  newPrompt: 'New prompt',
  promptName: 'Name',
  promptNameText: 'Letters, digits, - and _.',
  promptText: 'Text',
  editPrompt: (name: string) => `Edit /${name}`,
  deletePrompt: (name: string) => `Delete /${name}`,
  deleted: (name: string) => `/${name} is deleted.`,
  undo: 'Undo',
  badName: 'A name has letters, digits, - and _, at most 40 of them, and no spaces.',
  isCommand: (name: string) => `/${name} is a command. Choose another name.`,
  nameTaken: (name: string) => `There is a prompt /${name} already. Choose another name, or edit that one.`,
  noText: 'It has no text yet.',
  changedElsewhere: 'It was changed elsewhere in the meantime. Copy your text, then open it again.',
})

export type InstructionsTexts = typeof instructionsEn
