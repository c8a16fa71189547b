/** Sharing a chat, in English. */
import type { SecretKind } from '../../../core/text/redaction/secret-kinds.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import { groupedNumber } from '../format/format.ts'

const kinds: Record<SecretKind, string> = {
  'private key': 'Private keys',
  key: 'Keys and tokens',
  password: 'Passwords',
  card: 'Cards',
  account: 'Bank accounts',
  mail: 'Mail addresses',
  phone: 'Phone numbers',
  host: 'Hosts of your network',
  user: 'User names in paths',
}

export const shareEn = withIsolatedArguments({
  title: (chat: string) => `Share “${chat}”`,
  what: 'What goes out',
  wholeChat: (messages: number) =>
    `The whole chat, ${groupedNumber(messages)} ${messages === 1 ? 'message' : 'messages'}`,
  part: 'A part of it',
  from: 'From message',
  to: 'to message',
  ofAll: (messages: number) => `of ${groupedNumber(messages)}`,
  begins: 'Begins with',
  endsWith: 'Ends with',
  format: 'As',
  html: 'A page',
  htmlHint: 'One HTML file that opens in any browser, without a network',
  markdown: 'Markdown',
  markdownHint: 'One text file, for editors and repositories',
  tools: 'Tool calls',
  toolChoices: {
    none: 'Leave out',
    names: 'One line each, as in the chat',
    results: 'With everything they read and wrote',
  },
  attachedTexts: (files: number) =>
    `With the text of ${files === 1 ? 'the attached file' : `${groupedNumber(files)} attached files`}`,
  looking: 'Looking for secrets and personal data…',
  nothingFound:
    'No secrets or personal data were found. A search by rule does not find everything: read it before you send it.',
  found: (removed: number, kept: number) =>
    `${removed === 0 ? 'Nothing is taken out' : `${groupedNumber(removed)} taken out`}${kept === 0 ? '' : `, ${groupedNumber(kept)} kept`}`,
  foundHint: 'What is ticked is taken out of the file, wherever it stands. A search by rule does not find everything.',
  kinds,
  takeOutAll: (kind: string, count: number) => `${kind}: ${groupedNumber(count)}`,
  places: (count: number) => `${groupedNumber(count)} ${count === 1 ? 'place' : 'places'}`,
  moreFindings: (count: number) =>
    `${groupedNumber(count)} more of this kind, taken out or kept together with the kind`,
  inTitle: 'In the title',
  alsoCarried:
    'The file also carries these messages, and nothing else of the chat, so that it can be imported. Other versions, thoughts, summaries and pictures stay here.',
  saveHtml: 'Save HTML file',
  saveMarkdown: 'Save Markdown file',
  shareFile: 'Share…',
  writing: (messages: number) => `Writing: ${groupedNumber(messages)} messages`,
  saved: (size: string) => `Saved: ${size}`,
  sent: 'Handed over',
  shareAgain: 'The file is ready. Press Share once more.',
  about: (day: string) => `A chat of ${day}, shared from Haversack`,
  attached: 'Attached files',
  failed: 'failed',
})

export type ShareTexts = typeof shareEn
