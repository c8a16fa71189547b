/** Everything around the talk that the first screen needs, in English. */
import type { Code } from '../../../core/errors.ts'
import type { StrategyName } from '../../../core/context/strategy.ts'
import type { Forecast } from '../../../core/agent/api/context-api.ts'
import type { Zone } from '../../../core/context/size/measure.ts'
import type { NoticeKind } from '../../browser/notices.ts'
import { groupedNumber, percent } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

type StrategyTexts = { title: string; help: string }

export const appEn = withIsolatedArguments({
  appName: 'Haversack',
  skipToMessage: 'Skip to the message box',
  skipToContext: 'Skip to the context',
  close: 'Close',
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
  addModel: 'Add a server…',
  unknownModel: (id: string) => `${id} (not available)`,
  /** `help` stands below the choice of a strategy. */
  strategies: {
    balanced: {
      title: 'Balanced',
      help: 'The default: shares of the window, long results shortened first, then a summary; local models compact in the background.',
    },
    qwenpaw: {
      title: 'QwenPaw',
      help: 'As QwenPaw does: long results shortened on arrival, a summary at 80 % of the window.',
    },
    copaw: {
      title: 'CoPaw',
      help: 'As CoPaw does: a summary at 75 % of the window; tool results are left whole unless switched on.',
    },
    cowagent: {
      title: 'CowAgent',
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
  groups: { today: 'Today', yesterday: 'Yesterday', earlier: 'Earlier' },
  chatActions: 'Chat actions',
  remove: 'Delete',
  export: 'Export',
  import: 'Import',
  archive: 'Archive',
  memory: 'Memory',
  memoryWaits: ', a proposal waits',
  settings: 'Settings',
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
  inWindow: 'In the window',
  used: 'Context used',
  ofTokens: (n: number) => `of ${groupedNumber(n)} tokens`,
  usedText: (used: number, window: number) => `${groupedNumber(used)} of ${groupedNumber(window)} tokens`,
  compactsAt: (n: number) => `Compacts at ${groupedNumber(n)} tokens`,
  trimsAbove: (n: number) => `Oldest turns leave above ${groupedNumber(n)} tokens`,
  turnLimit: (turns: number, limit: number) => `Turn ${groupedNumber(turns)} of ${groupedNumber(limit)}`,
  nextTakes: ({ messages, turns, shortened, why, tooLong }: Forecast) =>
    tooLong
      ? 'Your next message does not fit the window, whatever is taken out.'
      : `With your next message ${[
          ...(messages > 0
            ? [
                `${groupedNumber(messages)} ${messages === 1 ? 'message leaves' : 'messages leave'} the window${turns > 0 ? ` (${groupedNumber(turns)} ${turns === 1 ? 'turn' : 'turns'})` : ''}`,
              ]
            : []),
          ...(shortened > 0
            ? [`${groupedNumber(shortened)} ${shortened === 1 ? 'text is' : 'texts are'} shortened`]
            : []),
        ].join(' and ')}${why === 'overflow' || why === 'last resort' ? ', because it would not fit otherwise' : ''}.`,
  unmatched:
    'Nothing is compacted by itself here: calls and results do not match, and CoPaw then leaves all messages as they are. Compact works.',
  zones: {
    system: 'System',
    tools: 'Tools',
    summary: 'Summary',
    compactable: 'Compactable',
    reserved: 'Reserved',
    free: 'Free',
  } satisfies Record<Zone, string> as Record<Zone, string>,
  zoneTokens: (zone: string, tokens: number) => `${zone}: ${groupedNumber(tokens)}`,
  zoneHelp: {
    system: 'The instructions to the model',
    tools: 'What the model is told about its tools',
    summary: 'What stands for the messages that were taken out',
    compactable: 'Older messages: the next compaction summarises them',
    reserved: 'The newest messages: a compaction that comes by itself keeps them; Compact keeps only the last step',
    free: 'Room that is left, the answer included',
  } satisfies Record<Zone, string> as Record<Zone, string>,
  room: 'What takes the room',
  tileNames: {
    system: 'System',
    tools: 'Tools',
    summary: 'Summary',
    user: 'You',
    assistant: 'Assistant',
    result: 'Result',
  },
  tileHint: 'Point at a tile, or tap it, to read it here; choose it to see it in the chat.',
  tileGo: 'Show in the chat',
  tileGroup: (n: number) => `${groupedNumber(n)} smaller ones`,
  tokens: (n: number) => `${groupedNumber(n)} tokens`,
  pinnedTile: 'pinned',
  shortenedTile: 'shortened',
  takenOut: 'Taken out, still there',
  takenMessages: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'message' : 'messages'}`,
  takenTurns: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'turn' : 'turns'} in short`,
  takenAt: (time: string) => `at ${time}`,
  takenLies: (place: string) => `now in ${place}`,
  takenShows: (shown: string, whole: string) => `shows ${shown} of ${whole}`,
  takenMore: (n: number) => `${groupedNumber(n)} more`,
  putBack: 'Put back',
  putBackName: (what: string) => `Put back ${what}`,
  openName: (what: string) => `Open ${what}`,
  open: 'Open',
  whatModelSees: 'What the model sees',
  compact: 'Compact',
  preview: 'Preview',
  undo: 'Undo',
  redo: 'Redo',
  contextEmpty: 'As soon as something is said, this shows what of it the model sees.',
  contextLoading: 'Counting',
  toolsReduced: {
    'short prompt': 'The window is small: the model gets short instructions.',
    'two tools': 'The window is small: only reading and searching are offered as tools.',
    'no tools': 'The window is too small for tools.',
  },
  learntWindow: (window: number, typed: number) =>
    `The server says that its window is ${groupedNumber(window)} tokens, not ${groupedNumber(typed)}. That is what counts.`,
  toldWindow: (told: number, typed: number) =>
    `The server says that its window is ${groupedNumber(told)} tokens. Your ${groupedNumber(typed)} count, until you change them in Settings → Models.`,
  ceiling: (tokens: number) =>
    `One request may have ${groupedNumber(tokens)} tokens: your plan at this provider has no more a minute.`,
  countedBy: (counter: string, factor: number) =>
    factor === 1
      ? `Counted by ${counter}`
      : `Counted by ${counter}, × ${factor.toFixed(2)} as the server’s counts showed`,
  spent: (tokens: string) => `Used in this chat so far: ${tokens}`,
  answerRoom: (n: number) => `${groupedNumber(n)} kept for the answer`,
  numbers: (messages: number, turns: number) =>
    `${groupedNumber(messages)} ${messages === 1 ? 'message' : 'messages'} in ${groupedNumber(turns)} ${turns === 1 ? 'turn' : 'turns'}`,

  // first start
  chooseModel: 'Choose a model',
  toolUse: { good: 'tools: good', 'so-so': 'tools: so-so', no: 'no tools' },
  welcome: 'An assistant that keeps everything you say to it, on this device, and shows the model exactly what fits.',
  recallTitle: 'Recall',
  recallText:
    'Built in. No download, no key, no network. It is not a language model: it finds passages in what you keep here and shows them with their place.',
  startWithout: 'Start without a model',
  serverTitle: 'A model server',
  serverText: 'On this computer, in your network, or a service with a key. Anything that speaks the OpenAI interface.',
  connect: (name: string) => `Connect ${name}`,
  anyServer: 'another server',
  deviceTitle: 'This device',
  device: {
    webgpu: 'WebGPU is there',
    webgpuBuffer: (size: string) => `largest buffer ${size}`,
    noWebgpu: 'No WebGPU: models cannot run in this browser',
    memory: (gib: number) => `${gib >= 8 ? '8 GB or more' : `about ${gib} GB`} of memory`,
    cores: (n: number) => `${groupedNumber(n)} processor cores`,
    free: (size: string) => `${size} free for this page`,
    offline: 'No network now',
  },
  inBrowserTitle: 'A model inside the browser',
  inBrowserText:
    'Runs on the graphics card of this device. Nothing leaves it; sizes are shown before anything is downloaded.',
  inBrowserOpen: 'See what fits this device',
  firstRules: 'Where your chats live',
  rules: {
    all: 'Chats are kept in this browser, on this device, and nowhere else. Clearing its site data deletes them; Export saves them to a file.',
    safari:
      'Safari deletes what a page keeps after seven days of use without a visit. Added to the Home Screen or the Dock, this page is exempt.',
    private: 'In a private window everything is gone when the window closes.',
  },

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

  // notices
  notices: {
    offline: ['You are offline', 'History, search and Recall work. Models on servers wait for the network.'],
    update: ['A new version is ready', 'It starts when you reload. Your draft and your chats stay.'],
    updateBusy: [
      'A new version is ready',
      'Reload when the answer is finished and attached files are sent; what you have typed stays.',
    ],
    chunkLost: ['A new version is there', 'This page is older than what the server has. Reload to go on.'],
    nearlyFull: ['Storage is nearly full', 'Export chats that you want to keep, then delete large ones.'],
    full: [
      'Storage is full',
      'Nothing new can be kept. Save what is open to another disk or export, then delete chats or free space on this device.',
    ],
    memory: [
      'Nothing is kept here',
      'The browser gives this page no storage (a private window, or blocked site data). Everything is gone when you close it. Export before.',
    ],
    memoryFull: [
      'Nothing is kept here',
      'There is no room for the database on this device. Free space and reload: what was stored before is still there. What you write now is gone when you close this page. Export before.',
    ],
    memoryBroken: [
      'Nothing is kept here',
      'The browser cannot open the database of this page. Close the browser and start it again. What you write now is gone when you close this page. Export before.',
    ],
    blocked: ['Another tab holds the old version', 'Close the other tabs of Haversack; this one goes on by itself.'],
    newer: [
      'Your data is newer than this page',
      'A newer version has been here. You can read and export; reload to get the new version.',
    ],
    replaced: [
      'Updated in another tab',
      'A newer version took over the database. Reload this tab; save what is still being written here before.',
    ],
    cleared: [
      'The data of this site were cleared',
      'Your chats are removed from this browser, and nothing is kept any more. Save what is still open here to a file, reload, and import it.',
    ],
    deleted: [
      'The database was deleted',
      'Another tab or a tool deleted it while this page was open: your chats are removed, and nothing is kept any more. Save what is still open here to a file, reload, and import it.',
    ],
    dropped: [
      'The browser removed your chats',
      'It dropped the database while this page was open, mostly because space was short. Nothing is kept any more. Save what is still open here to a file, free space, reload, and import it.',
    ],
    lost: [
      'The database was lost for a moment',
      'The browser closed the connection. Haversack tries again; if this stays, reload.',
    ],
    evicted: [
      'Your chats were removed',
      'There were chats here before. A browser removes them when space is short, when a page was not visited for long, or when site data is cleared. If you have saved or exported them, import the file.',
    ],
    insecure: [
      'This page came over plain http',
      'Not available: installing, working offline, safe use of two tabs at once, asking the browser to keep data. Use https or localhost.',
    ],
    paused: ['Paused by the device', 'The screen was off or the tab was frozen. What had come is kept.'],
    restarted: ['The worker was restarted', 'It had stopped answering. Everything that was stored is there.'],
    gaveUp: [
      'Haversack could not be kept running',
      'Its worker ended several times within a minute. Everything that was stored is there. Reload to start anew.',
    ],
    notStarted: [
      'Haversack could not be started',
      'An error ended its worker at once. Block no site data for this page, use a newer browser, or reload. What the browser said:',
    ],
    private: [
      'Everything here goes with this window',
      'This is a private window: the browser deletes chats, notes and keys when it is closed. Export what you want to keep.',
    ],
    keep: ['Ask the browser to keep your chats?', 'Otherwise it may delete them when space gets short.'],
    retention: [
      'Remove what is old?',
      'By the rules of a strategy in use some old tool results or chats are due. Nothing is removed before you say yes.',
    ],
    keepRefused: [
      'The browser did not promise to keep your chats',
      'It decides by itself. Installing the app or exporting now and then is the safe way.',
    ],
  } satisfies Record<NoticeKind, [string, string]> as Record<NoticeKind, [string, string]>,
  noticeActions: {
    reload: 'Reload',
    save: 'Save what is open',
    export: 'Export everything',
    import: 'Import',
    retry: 'Try again',
    keep: 'Keep my chats',
    dismiss: 'Dismiss',
    continue: 'Continue',
    storage: 'Storage',
  },
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
  // one line each; the message stands below
  errors: {
    model_overflow: 'The request does not fit the model’s window',
    model_too_large: 'The server or a proxy takes no request of this size',
    model_output_cap: 'More output was asked for than the model may write',
    model_auth: 'The server does not accept the key',
    model_credit: 'No credit is left at the provider',
    model_not_found: 'The server does not know this model',
    model_rate_limited: 'The server asks to slow down',
    model_server: 'The server has a problem',
    model_loading: 'The server is loading the model',
    model_not_loaded: 'The server has not loaded this model',
    model_not_allowed: 'The provider does not allow this',
    model_refused: 'The server refused the request',
    model_protocol: 'The answer was not what a model server sends',
    model_empty: 'The model answered nothing',
    model_unavailable: 'This model cannot be used here',
    network: 'The server could not be reached',
    blocked_address: 'This address is not allowed',
    storage_full: 'Storage is full',
    storage_lost: 'The database was lost',
    storage_blocked: 'The database is held by another tab',
    storage_newer: 'The data is newer than this page',
    storage_gone: 'What was stored here is gone',
    storage_unavailable: 'The browser gives no storage',
    not_found: 'Not found',
    bad_input: 'That does not work',
    bad_json: 'Not valid JSON',
    denied: 'Not permitted',
    stopped: 'Stopped',
    tool_failed: 'The tool failed',
    busy: 'Something else is running in this chat',
    worker_lost: 'The part that works in the background stopped',
    new_version: 'A new version is there',
    unknown: 'Something went wrong',
    command: 'Command',
    compacted: 'Compacted',
    compact_no_gain: 'Compacting gained nothing',
    compact_nothing: 'Nothing to compact',
    compact_unmatched: 'Not compacted by itself',
    compact_floor: 'The fixed parts alone fill the window',
    summary_failed: 'No summary could be had from the model',
    over_budget: 'The newest turn alone is over the budget',
    window_learnt: 'The window was learnt from the server',
    overflow_rung: 'Made to fit',
    suspect_truncation: 'The server may have cut the request',
    tools_in_words: 'Tools are told in words',
    held_back: 'Answers come all at once',
    restored: 'Restored after a restart',
    retry: 'Waiting to try again',
    loop_broken: 'A loop was broken',
    step_limit: 'The limit of steps was reached',
    thought_limit: 'Only thoughts, no answer',
    loop_ended: 'The model went in circles',
    small_window: 'Small window',
    sent_before: 'This chat was sent elsewhere before',
    pins_capped: 'Too much is pinned',
    imported: 'Imported',
  } satisfies Record<Code, string> as Record<Code, string>,
})
