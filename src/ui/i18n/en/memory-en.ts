/** The page of memory, in English. */
import type { CutReason } from '../../../core/log/entry.ts'
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const memoryEn = withIsolatedArguments({
  title: 'Memory',
  text: 'What later chats may find. MEMORY.md stands in front of the model in every new chat (its newest lines, where it is long); the notes of a day are found by searching. Both are yours to change.',
  page: 'Long-term memory (MEMORY.md)',
  empty: 'Nothing is written here yet.',
  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',
  conflict: 'It was changed elsewhere in the meantime. Your text is still here; copy it, then load the new one.',
  load: 'Load the new one',
  since: (day: string) => `since ${day}`,
  lines: 'Lines, and where each came from',
  version: (n: number, of: number) => `Version ${groupedNumber(n)} of ${groupedNumber(of)}`,
  earlier: 'Earlier version',
  later: 'Later version',
  putBack: 'Put this one back',

  dream: 'Propose what to keep',
  dreamText:
    'Merges the notes of recent days into this page, as a proposal. Nothing is written before you accept it. What you accept is read by every model, also by one on a server.',
  dreaming: 'Reading the notes',
  dreamNothing: 'The notes hold nothing new for this page.',
  proposal: 'Proposal for MEMORY.md',
  byModel: (days: number, model: string) =>
    `Notes of ${groupedNumber(days)} ${days === 1 ? 'day' : 'days'}, merged by ${model}.`,
  byRule: (days: number) =>
    `Notes of ${groupedNumber(days)} ${days === 1 ? 'day' : 'days'}, merged by rule, without a model.`,
  byImport:
    'It came with a file that you imported, in place of what stands here. Read it with care: what you accept is put in front of every model.',
  isOld: 'MEMORY.md was changed since this was made. Propose again, so that nothing of that is lost.',
  kinds: { same: 'stays', new: 'new', gone: 'goes' },
  accept: 'Accept',
  acceptEdited: 'Accept this text',
  refuse: 'Refuse',

  days: 'By day',
  noDays:
    'Nothing was noted yet. When a chat is compacted, or with /memory, notes appear here. The strategies QwenPaw and CoPaw write them at a compaction only where memory_notes is on (Settings, Context).',
  cuts: {
    compact: 'when it was compacted',
    turns: 'when older turns left the window',
    budget: 'when it was over its budget',
    overflow: 'when it was too long for the model',
  } as Partial<Record<CutReason, string>> & { compact: string },
  note: 'Note',
  forget: 'Forget',
  forgetAsk: 'Remove this note for good?',
  from: 'from',
  documents: 'Documents the model wrote',

  daily: 'Each new day, propose what to keep',
  dailyText:
    'At the first start of a day the notes since the last time are merged into a proposal for MEMORY.md. The model that writes summaries reads them, so a model on a server receives them; without one it is done by rule.',
  tab: 'MEMORY.md is one page of text. Its newest 200 lines stand in front of the model in every new chat, in at most 5% of the window; a model on a server receives them too. Notes by day are found by searching and cost no room.',
  open: 'Open memory',

  meaning: 'Search by meaning too',
  meaningText:
    'A model for embeddings on one of your servers finds what was said in other words; the search by words stays as it is. For that the server receives every message, result and note of all chats, a part at a time while the app rests. A server elsewhere does not get chats that, as far as is known here, never left this device, nor files written in them. Vectors are kept in this browser and made anew for another model.',
  meaningServer: 'Server',
  meaningOff: 'Off',
  meaningModel: 'Model for embeddings',
  noServer: 'Add a server under Models first.',
})

export type MemoryTexts = typeof memoryEn
