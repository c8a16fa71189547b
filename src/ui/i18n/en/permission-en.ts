/** What a tool would do, in English. It loads with the first question. */
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const permissionEn = withIsolatedArguments({
  write: (size: string) => `It would write a new file of ${size}:`,
  writeUnseen: (size: string) => `It would write ${size} to this file:`,
  replace: (before: string, after: string) => `It would replace this file (${before} → ${after}):`,
  change: 'It would change a part of this file:',
  fetch: 'It would contact this host:',
  space: { loopback: 'this computer', local: 'your network' },
  whoAnswers: {
    public: 'That server will see the address and your IP.',
    loopback: 'A program on this computer would answer. What it says is given to the model.',
    local: 'A device in your network would answer, such as a router or a printer. What it says is given to the model.',
  },
  unencrypted: 'The connection is not encrypted: others on the way can read along.',
  international:
    'An international name. It is read as follows and may look like another name; what counts is the name above:',
  sameAs: 'The same as',
  thisHostOnly: 'A yes for the whole chat holds for this host only.',
  address: 'Address',
  path: 'Path of the file',
  content: 'Content of the file',
  difference: 'What changes in the file',
  empty: 'The file would be empty.',
  linesBetween: (n: number) => `… ${groupedNumber(n)} ${n === 1 ? 'line' : 'lines'} …`,
  lineKinds: { new: 'new', gone: 'goes' },
})

export type PermissionTexts = typeof permissionEn
