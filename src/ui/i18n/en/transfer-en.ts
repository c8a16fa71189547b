/** What came of an export or an import, in English. */
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import { groupedNumber } from '../format/format.ts'

export const transferEn = withIsolatedArguments({
  exporting: (lines: number) => `Exporting: ${groupedNumber(lines)} lines`,
  exported: (lines: number) => `Exported ${groupedNumber(lines)} lines`,
  importing: (lines: number) => `Importing: ${groupedNumber(lines)} lines`,
  imported: (messages: number, others: number) => {
    const said = `${groupedNumber(messages)} ${messages === 1 ? 'message' : 'messages'}`
    const more = `${groupedNumber(others)} other ${others === 1 ? 'entry' : 'entries'}`
    return `${others === 0 ? said : messages === 0 ? more : `${said} and ${more}`} imported`
  },
  stopImport: 'Stop',
  importStopped: 'Stopped. Import the file again to go on: nothing comes twice.',
  importBetween: '; ',
  importSkipped: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'was' : 'were'} here already`,
  importAllHere: 'Everything in this file was here already',
  importNothing: 'There was nothing to import in this file. It should be JSON Lines: one JSON object a line.',
  importChatsHere: 'The chats of this file were here already',
  importOnlyDocuments: 'No chats in this file',
  importVersions: (n: number) =>
    `${n === 1 ? 'The file continues this chat in another way' : `The file continues ${groupedNumber(n)} chats in another way`}. That is kept as another version; what you see stays.`,
  importShowVersion: 'Show it',
  importDocumentsTaken: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'document' : 'documents'} taken`,
  importDocumentsLeft: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'document' : 'documents'} not taken`,
  importChooseDocuments: 'Choose…',
  importProposal: 'MEMORY.md of the file waits as a proposal',
  importShowProposal: 'Look at it',
  importProblems: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'line has' : 'lines have'} problems`,
  importProblem: (line: number, reason: string) => `Line ${groupedNumber(line)}: ${reason}`,
  importMore: (n: number) => `and ${groupedNumber(n)} more`,
  importAsCopy: 'Import again as a copy',
  importOpen: 'Open',
})

export type TransferTexts = typeof transferEn
