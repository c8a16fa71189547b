/** The context pane and its dialogs, in English. */
import type { HappenedAct, HistoryAct } from '../../../core/agent/api/context-api.ts'
import type { Zone } from '../../../core/context/size/measure.ts'
import type { ShortenReason } from '../../../core/log/entry.ts'
import { duration, groupedNumber, percent } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

const messages = (n: number) => `${groupedNumber(n)} ${n === 1 ? 'message' : 'messages'}`
const turns = (n: number) => `${groupedNumber(n)} ${n === 1 ? 'turn' : 'turns'}`
const results = (n: number) => `${groupedNumber(n)} long ${n === 1 ? 'text' : 'texts'}`
const tokens = (n: number) => `${groupedNumber(n)} ${n === 1 ? 'token' : 'tokens'}`
const oldest = (n: number) => (n === 1 ? 'the oldest message' : `the ${groupedNumber(n)} oldest messages`)

/** What an act is called behind "Undo:"; `label` is the beginning of the one message that it is about. */
function act({ what, of, count, label }: HistoryAct): string {
  switch (what) {
    case 'pin':
      return `pin of “${label}”`
    case 'unpin':
      return `unpinning of “${label}”`
    case 'summary':
      return `summary of ${messages(count)}`
    case 'cut':
      return `removal of ${messages(count)}`
    case 'clear':
      return `clearing of ${messages(count)}`
    case 'rest':
      return `leaving out ${messages(count)} after a rest`
    case 'strip':
      return `${turns(count)} in short`
    case 'shorten':
      return count === 1 && label !== '' ? `shortening of ${label}` : `shortening of ${results(count)}`
    case 'reword':
      return 'wording of the summary'
    case 'put back':
      return `put back of ${of === 'strip' ? turns(count) : of === 'shorten' ? results(count) : messages(count)}`
    default:
      return what satisfies never
  }
}

export const paneEn = withIsolatedArguments({
  // what the next message will do; the first word stands out
  fits: (share: number) => `Fits: ${percent(share)}.`,
  full: 'Full.',
  manyTurns: (limit: number) => `Turn ${groupedNumber(limit)}, the most.`,
  rested: 'Rested.',
  tooLong: 'Too long.',
  allGoes: 'Everything so far goes with your next message.',
  goesAsSummary: (n: number, size: number) =>
    `${n === 1 ? 'The oldest message goes' : `The ${groupedNumber(n)} oldest messages go`} as a summary of ${tokens(size)}.`,
  notSentNow: (n: number) =>
    `${n === 1 ? '1 earlier message is' : `${groupedNumber(n)} earlier messages are`} not sent any more.`,
  willSummarise: (n: number) => `With your next message ${oldest(n)} ${n === 1 ? 'becomes' : 'become'} a summary.`,
  willHalve: (n: number, count: number) =>
    `With your next message ${count === 1 ? 'the oldest turn' : `the ${groupedNumber(count)} oldest turns`} (${messages(n)}) leave; a summary of them follows.`,
  willStrip: (n: number) =>
    `With your next message older turns go as question and last answer only: ${messages(n)} ${n === 1 ? 'is' : 'are'} left out.`,
  willLeave: (n: number) =>
    `With your next message ${oldest(n)} ${n === 1 ? 'is' : 'are'} left out, without a summary: nothing else makes it fit.`,
  willRest: (n: number) =>
    `This chat has not been used for a while: with your next message it goes on with its last turns, and ${messages(n)} ${n === 1 ? 'is' : 'are'} left out.`,
  willShorten: (n: number) => `With your next message ${results(n)} ${n === 1 ? 'is' : 'are'} shown in short.`,
  andShortened: (n: number) => `${results(n)} ${n === 1 ? 'is' : 'are'} shown in short.`,
  willNotFit:
    'Your next message does not fit, whatever is left out. Shorten it, or choose a model with a larger window.',
  staysHere: 'All of it stays here.',

  used: 'Context used',
  usedText: (used: number, window: number) => `${groupedNumber(Math.min(used, window))} of ${tokens(window)}`,
  overText: (used: number, window: number) =>
    `Full: ${groupedNumber(used)} tokens for a window of ${groupedNumber(window)}`,
  compactsAt: (n: number) => `Summarises by itself at ${tokens(n)}`,
  compactsAtShare: (n: number, share: number) => `Summarises by itself at ${percent(share)} (${tokens(n)}).`,
  trimsAbove: (n: number, share: number) => `The oldest turns leave above ${percent(share)} (${tokens(n)}).`,
  turnLimit: (now: number, limit: number) =>
    `Turn ${groupedNumber(now)} of ${groupedNumber(limit)}; then the oldest leave.`,
  unmatched:
    'Nothing is summarised by itself here: calls and results do not match, and CoPaw then leaves all messages as they are. Compact works.',
  zones: {
    system: 'Instructions',
    tools: 'Tools',
    summary: 'Summary',
    compactable: 'Summarised next',
    reserved: 'Always kept',
    answer: 'Room for the answer',
    free: 'Free',
  } satisfies Record<Zone | 'answer', string> as Record<Zone | 'answer', string>,
  theOldest: (n: number) => `oldest ${groupedNumber(n)}`,
  theNewest: (n: number) => `newest ${groupedNumber(n)}`,
  zoneTokens: (zone: string, size: number) => `${zone}: ${tokens(size)}`,
  zoneHelp: {
    system: 'The instructions to the model',
    tools: 'What the model is told about its tools',
    summary: 'What stands for the messages that are not sent any more',
    compactable: 'Older messages: the next compaction makes a summary of them',
    reserved: 'The newest messages, and what is pinned: a compaction keeps them',
    answer: 'Kept free, so that the answer has room',
    free: 'Room that is left',
  } satisfies Record<Zone | 'answer', string> as Record<Zone | 'answer', string>,

  room: 'What takes the room',
  tileNames: {
    system: 'Instructions',
    tools: 'Tools',
    summary: 'Summary',
    user: 'You',
    assistant: 'Assistant',
    result: 'Result',
  },
  tileHint: 'Point at a tile, or tap it, to read it here; choose it to see it in the chat.',
  tileGo: 'Show in the chat',
  tileGroup: (n: number, days: string) => `${messages(n)}, ${days}`,
  tokens,
  pinnedTile: 'pinned',
  shortenedTile: 'shortened',

  notSent: 'Not sent any more · kept here',
  takenMessages: messages,
  takenTurns: (n: number) => `${turns(n)} in short`,
  takenAt: (time: string) => `at ${time}`,
  takenLies: (place: string) => `now in ${place}`,
  takenShows: (shown: string, whole: string) => `shows ${shown} of ${whole}`,
  /** Behind that, why. */
  takenReasons: {
    repeated: 'called again later',
    edited: 'file changed later',
    unused: 'older, hardly used',
    used: 'older, but used',
  } satisfies Record<ShortenReason, string> as Record<ShortenReason, string>,
  more: (n: number) => `${groupedNumber(n)} more`,
  putBack: 'Put back',
  putBackName: (what: string) => `Put back ${what}`,
  openName: (what: string) => `Open ${what}`,
  open: 'Open',
  whatModelSees: 'What the model sees',
  compact: 'Compact',
  compactHelp: (keep: number) => `Makes a summary of all but the newest ${tokens(keep)}`,
  keepsNewest: (keep: number) => `Compact keeps the newest ${tokens(keep)}, where you put the line.`,
  preview: 'Preview',
  previewOfNext: 'Preview of your next message',
  contextEmpty: 'As soon as something is said, this shows what of it the model sees.',
  counting: 'Counting',
  instructionsCut: (n: number) =>
    `Your instructions are longer than this window has room for: ${groupedNumber(n)} characters at their end are not sent.`,
  toolsReduced: {
    'short prompt': 'The window is small: the model gets short instructions.',
    'two tools': 'The window is small: only reading and searching are offered as tools.',
    'no tools': 'The window is too small for tools.',
  },
  learntWindow: (window: number, typed: number) =>
    `The server says that its window is ${tokens(window)}, not ${groupedNumber(typed)}. That is what counts.`,
  toldWindow: (told: number, typed: number) =>
    `The server says that its window is ${tokens(told)}. Your ${groupedNumber(typed)} count, until you change them in Settings → Servers.`,
  ceiling: (n: number) => `One request may have ${tokens(n)}: your plan at this provider has no more a minute.`,
  countedHere: (counter: string, factor: number) =>
    factor === 1
      ? `Tokens are counted here (${counter}).`
      : `Tokens are counted here (${counter}) and corrected by what the server counted: × ${factor.toFixed(2)}.`,
  windowOf: (n: number) => `The window has ${tokens(n)}.`,
  spent: (what: string) => `Used in this chat so far: ${what}`,
  numbers: (n: number, count: number) => `${messages(n)} in ${turns(count)}`,
  details: 'Details',

  // history
  act,
  undo: 'Undo',
  redo: 'Redo',
  undoAct: (what: string) => `Undo: ${what}`,
  redoAct: (what: string) => `Redo: ${what}`,
  undone: (what: string) => `Undone: ${what}`,
  redone: (what: string) => `Done again: ${what}`,
  happened: 'What happened',
  nothingHappened: 'Nothing has been taken out yet.',
  happenedActs: {
    summary: (n: number) => `${messages(n)} became a summary`,
    cut: (n: number) => `${messages(n)} left`,
    clear: (n: number) => `${messages(n)} cleared away`,
    rest: (n: number) => `${messages(n)} left out after a rest`,
    strip: (n: number) => `${turns(n)} kept as question and answer`,
    shorten: (n: number) => `${results(n)} shortened`,
    'put back': (n: number) => `${n === 1 ? '1 is' : `${groupedNumber(n)} are`} back`,
    pin: () => 'pinned',
    unpin: () => 'unpinned',
    reword: () => 'summary reworded',
  } satisfies Record<HistoryAct['what'], (n: number) => string> as Record<HistoryAct['what'], (n: number) => string>,
  whys: {
    automatic: 'by itself',
    you: 'by you',
    agent: 'by the assistant',
    'too large': 'the request did not fit',
    rested: 'after a rest',
  } satisfies Record<NonNullable<HappenedAct['why']>, string> as Record<NonNullable<HappenedAct['why']>, string>,
  fromTo: (before: string, after: string) => `${before} → ${after}`,
  tokensFromTo: (before: number, after: number) => `${groupedNumber(before)} → ${tokens(after)}`,
  byRule: 'made by rule',
  byModel: (model: string, ms: number) => (model === '' ? duration(ms) : `${model}, ${duration(ms)}`),
  liftedSince: 'undone since',
  read: 'Read',
  readName: (what: string) => `Read ${what}`,

  // putting back what does not fit
  putBackTitle: 'This does not fit',
  putBackText: (n: number, share: number) =>
    `${n === 1 ? '1 message' : `${groupedNumber(n)} messages`} would come back: ${share >= 2 ? `${groupedNumber(share)} times what the window holds` : 'more than the window holds'}. So your next message would take ${n === 1 ? 'it' : 'them'} out again.`,
  putBackTextOnly:
    'It would come back whole, but there is no room for it: your next message would take it out or shorten it again.',
  putBackPart: 'Put back what fits',
  putBackPartText: (n: number, after: number) =>
    `The newest ${messages(n)} of them fit (${tokens(after)} then). A new summary stands for the others.`,
  putBackNothing: 'None of them fits beside what is there.',
  putBackAll: 'Put back all anyway',
  cancel: 'Cancel',

  // preview
  previewTitle: 'Preview',
  previewOf: 'Of',
  previewNow: (keep: number) => `Compact now: the newest ${tokens(keep)} stay`,
  previewCommand: '/compact: only the last step stays',
  previewNext: 'Your next message',
  previewWith: (strategy: string) => `Your next message with ${strategy}`,
  previewAbout: 'Nothing is changed by looking, and no model is asked.',
  before: 'Before',
  after: 'After',
  windowEnd: 'Window',
  fates: {
    goes: (n: number) => `Goes · ${groupedNumber(n)}`,
    shortened: (n: number) => `Shortened · ${groupedNumber(n)}`,
    stays: (n: number) => `Stays · ${groupedNumber(n)}`,
  },
  fateTexts: {
    goes: 'A summary stands for these. They stay in the chat; a pin keeps one in the window.',
    left: 'These are left out without a summary. They stay in the chat; a pin keeps one in the window.',
    shortened: 'These show their beginning and end; the whole can be read again by its path.',
    stays: 'These go to the model as they are.',
  },
  fateList: 'Messages',
  emptyFate: 'None.',
  wouldRestart: (n: number) =>
    `This chat has rested, so it would go on with the ${n === 1 ? 'question and answer of its last turn' : `questions and answers of its last ${groupedNumber(n)} turns`}.`,
  wouldNotFit: 'Your next message would not fit the window, whatever is taken out.',
  previewSummary: 'The summary, made by rule (a model may write a better one)',
  compactNow: 'Compact now',
  pin: 'Pin',
  unpin: 'Unpin',
  pinName: (what: string) => `Pin ${what}`,
  unpinName: (what: string) => `Unpin ${what}`,
  pinRefused: 'Not pinned: all pins together may take a fifth of the window.',
  shortTo: (before: number, after: number) => `${groupedNumber(before)} → ${tokens(after)}`,
})
