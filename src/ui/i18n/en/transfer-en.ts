/** What came of an export or an import, in English. */
import { isolating } from '../../../core/text/display/isolate.ts'
import { count } from '../format/format.ts'

export const transfer = isolating({
  exporting: (lines: number) => `Exporting: ${count(lines)} lines`,
  exported: (lines: number) => `Exported ${count(lines)} lines`,
  importing: (lines: number) => `Importing: ${count(lines)} lines`,
  imported: (messages: number, others: number) => {
    const said = `${count(messages)} ${messages === 1 ? 'message' : 'messages'}`
    const more = `${count(others)} other ${others === 1 ? 'entry' : 'entries'}`
    return `${others === 0 ? said : messages === 0 ? more : `${said} and ${more}`} imported`
  },
  importBetween: '; ',
  importSkipped: (n: number) => `${count(n)} ${n === 1 ? 'was' : 'were'} here already`,
  importAllHere: 'Everything in this file was here already',
  importNothing: 'There was nothing to import in this file. It should be JSON Lines: one JSON object a line.',
  importChatsHere: 'The chats of this file were here already',
  importOnlyDocuments: 'No chats in this file',
  importVersions: (n: number) =>
    `${n === 1 ? 'The file continues this chat in another way' : `The file continues ${count(n)} chats in another way`}. That is kept as another version; what you see stays.`,
  importShowVersion: 'Show it',
  importDocumentsTaken: (n: number) => `${count(n)} ${n === 1 ? 'document' : 'documents'} taken`,
  importDocumentsLeft: (n: number) => `${count(n)} ${n === 1 ? 'document' : 'documents'} not taken`,
  importChooseDocuments: 'Choose…',
  importProposal: 'MEMORY.md of the file waits as a proposal',
  importShowProposal: 'Look at it',
  importProblems: (n: number) => `${count(n)} ${n === 1 ? 'line has' : 'lines have'} problems`,
  importProblem: (line: number, reason: string) => `Line ${count(line)}: ${reason}`,
  importMore: (n: number) => `and ${count(n)} more`,
  importAsCopy: 'Import again as a copy',
  importOpen: 'Open',
})

export type TransferWords = typeof transfer
