/** Everything around the talk that the first screen needs, in English. */
import type { StrategyName } from '../../../core/context/strategy.ts'
import { groupedNumber, percent } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'
import { errorTitlesEn } from './error-titles-en.ts'
import { noticeActionsEn, noticesEn } from './notices-en.ts'

type StrategyTexts = { title: string; line: string; help: string }

export const appEn = withIsolatedArguments({
  appName: 'Haversack',
  skipToMessage: 'Skip to the message box',
  skipToContext: 'Skip to the context',
  close: 'Close',
  notification: {
    ready: 'The answer is ready',
    asks: 'A tool asks for your permission',
    failed: 'The answer did not come to its end',
  },
  cancel: 'Cancel',
  save: 'Save',
  retry: 'Try again',
  loading: 'Loading',
  failedToLoad: 'This part could not be loaded.',

  // header
  title: 'Title',
  rename: 'Rename',
  model: 'Model',
  strategy: 'Strategy',
  effort: 'Thinking',
  efforts: {
    default: 'Thinking: as it does',
    off: 'No thinking',
    low: 'Thinks a little',
    medium: 'Thinks',
    high: 'Thinks hard',
  },
  onDevice: 'On this device',
  noModel: 'Choose a model',
  modelChosen: (what: string, model: string) => `${what}: ${model}`,
  usedNow: (model: string) => `${model} is used now.`,
  unknownModel: (id: string) => `${id} (not available)`,
  /** `line` stands below the choice in a chat, `help` in the settings. */
  strategies: {
    balanced: {
      title: 'Balanced',
      line: 'Shortens long results first, then summarises the oldest messages. The default.',
      help: 'The default: shares of the window, long results shortened first, then a summary; local models compact in the background.',
    },
    qwenpaw: {
      title: 'QwenPaw',
      line: 'Shortens long results as they come, summarises at 80% of the window.',
      help: 'As QwenPaw does: long results shortened on arrival, a summary at 80% of the window.',
    },
    copaw: {
      title: 'CoPaw',
      line: 'Summarises at 75% of the window; results stay whole.',
      help: 'As CoPaw does: a summary at 75% of the window; tool results are left whole unless switched on.',
    },
    cowagent: {
      title: 'CowAgent',
      line: 'Keeps a number of turns; of too many the older half becomes a summary.',
      help: 'As CowAgent does: by turns; of too many the older half leaves and is summarised; after a rest of the app the newest few go on as question and answer.',
    },
  } satisfies Record<StrategyName, StrategyTexts> as Record<StrategyName, StrategyTexts>,
  showLibrary: 'Show library',
  hideLibrary: 'Hide library',
  showContext: 'Show context',
  hideContext: 'Hide context',

  // library
  library: 'Library',
  newChat: 'New chat',
  untitled: 'New chat',
  search: 'Search',
  searchPlaceholder: 'Search everything',
  noHits: (query: string) => `Nothing found for “${query}”`,
  hits: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'hit' : 'hits'}`,
  searching: 'Searching',
  narrow: 'Narrow the search',
  what: 'What',
  whats: { all: 'Everything', said: 'Messages', results: 'Results', memory: 'Memory and files', titles: 'Titles' },
  when: 'When',
  whens: { any: 'Any time', today: 'Today', week: '7 days', month: '30 days', between: 'Between' },
  where: 'Where',
  allChats: 'All chats',
  fromDay: 'From',
  toDay: 'To',
  groups: { pinned: 'Pinned', today: 'Today', yesterday: 'Yesterday', earlier: 'Earlier' },
  chatActions: 'Chat actions',
  pinChat: 'Pin to the top',
  unpinChat: 'Unpin',
  /** What stands beside a chat in the list. */
  marks: {
    runs: 'An answer is being written',
    asks: 'Waits for your permission',
    stands: 'Broken off; it can go on',
    done: 'New answer',
  },
  queued: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'message waits' : 'messages wait'} to be sent`,
  titleHits: 'Chats',
  resultHit: 'Tool result',
  remove: 'Delete',
  export: 'Export',
  share: 'Share…',
  import: 'Import',
  archive: 'Archive',
  memory: 'Memory',
  memoryWaits: ', a proposal waits',
  settings: 'Settings',
  sharedLost: 'What was shared with Haversack could not be kept. Share it again when there is room.',
  goneChat: 'This chat is not here. It may have been deleted, or it lives in another browser.',
  olderChats: (more: number) => `${groupedNumber(more)} older ${more === 1 ? 'chat' : 'chats'}`,
  noChats: 'Chats will be listed here.',
  removeTitle: 'Delete this chat?',
  removeText: (title: string) =>
    `“${title}”: its texts, attachments and the notes made of it are blanked for good; lines that you accepted into MEMORY.md stay. You may want to export it first.`,
  exportFirst: 'Export first',
  importCutOff: 'What came until then is kept. Import the file again: what is missing is added.',
  importNotText: {
    packed: 'This file is packed (gzip, zip or the like). Unpack it, then import the .jsonl file in it.',
    'utf-32': 'This file is written in UTF-32. Save it as UTF-8, then import it again.',
  },
  dropHere: 'Drop files to attach them. Exported chats are imported.',

  // context
  context: 'Context',

  // first start
  chooseModel: 'Choose a model',
  toolUse: { good: 'tools: good', 'so-so': 'tools: so-so', no: 'no tools' },

  reset: {
    question: 'Remove the files of the app?',
    ask: 'This helps where the app is damaged. Its files, and the programs that run models of this device, are removed from this browser and fetched anew, which needs a network. Your chats, notes, settings, keys and downloaded models stay.',
    remove: 'Remove the files',
    back: 'Back to Haversack',
    title: 'The files of the app were removed',
    done: 'Your chats, settings and models are still here. Loading again fetches the newest version; the program that runs a model of this device comes again when the model is first used, so use it once before you go offline.',
    again: 'Load Haversack again',
    failed: 'The files of the app could not be removed',
    failedText: 'The browser refused it. Nothing else was changed. What it said:',
  },
  framed: {
    title: 'Haversack does not run inside another page',
    text: 'That page could make you press buttons here without knowing. Open this address in a tab of its own:',
  },

  // notices and errors
  notices: noticesEn,
  noticeActions: noticeActionsEn,
  noticesName: 'Notices',
  dismissNotice: (title: string) => `Dismiss: ${title}`,
  downloading: (share: number) => `Downloading ${percent(share)}`,

  errorDetails: 'Details',
  partOffline: 'A part of the app is not on this device yet, and there is no network. Try again when there is one.',
  errorFacts: {
    server: 'Server',
    host: 'Host',
    model: 'Model',
    status: 'HTTP status',
    window: 'Window',
    outputReserve: 'Kept for the answer',
    total: 'Request',
    system: 'System',
    tools: 'Tools',
    summary: 'Summary',
    messages: 'Messages',
    limit: 'Limit',
    actual: 'Asked for',
  },
  errors: errorTitlesEn,
})
