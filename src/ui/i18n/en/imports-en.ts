/** The look into an export of another program, in English. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import { groupedNumber } from '../format/format.ts'

const count = (n: number, one: string, many: string): string => `${groupedNumber(n)} ${n === 1 ? one : many}`

export const importsEn = withIsolatedArguments({
  title: (app: string) => `Import from ${app}`,
  titleUnknown: 'Import chats',
  looking: (chats: number) =>
    chats === 0 ? 'Looking into the file…' : `Looking: ${count(chats, 'chat', 'chats')} so far…`,
  nothing: (programs: string) =>
    `No chats that can be read are in there. Haversack reads its own files and exports of ${programs}.`,
  failed: 'The file cannot be read',
  found: (chats: number, messages: number) =>
    `${count(chats, 'chat', 'chats')} with ${count(messages, 'message', 'messages')}`,
  branches: (n: number) => `${count(n, 'branch', 'branches')} beside what was shown last; all are kept`,
  files: (n: number, missing: number) => {
    const has = count(n, 'attached file', 'attached files')
    if (missing === 0) return has
    const which = missing === n ? 'none of them in the export' : `${groupedNumber(missing)} of them not in the export`
    return `${has}, ${which}: only the ${missing === 1 ? 'name is' : 'names are'} kept`
  },
  unread: (chats: number, lines: number) =>
    [
      ...(chats > 0 ? [`${count(chats, 'chat', 'chats')} cannot be read`] : []),
      ...(lines > 0 ? [`${count(lines, 'line', 'lines')} cannot be read`] : []),
    ].join(' · '),
  skippedChat: (what: string, why: string) => `${what}: ${why}`,
  place: (n: number) => `Number ${groupedNumber(n)} of the file`,
  line: (n: number) => `Line ${groupedNumber(n)}`,
  more: (n: number) => `and ${groupedNumber(n)} more`,
  all: 'All chats',
  find: 'Find a chat',
  messages: (n: number) => count(n, 'message', 'messages'),
  untitled: 'Without a title',
  stays: 'What is imported stays on this device, unless you say so for each chat.',
  leaves: 'It may go to servers that you choose as a model, after the ordinary question',
  asText: 'Attach as text',
  cancel: 'Cancel',
  import: (n: number) => `Import ${count(n, 'chat', 'chats')}`,
})

export type ImportsTexts = typeof importsEn
