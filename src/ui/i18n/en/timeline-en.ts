/** English texts of the timeline. */
import type { Sending, Speaker, TimelineReason } from '../../../core/agent/api/timeline.ts'
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

const tokens = (n: number) => `${groupedNumber(n)} ${n === 1 ? 'token' : 'tokens'}`
const messages = (n: number) => `${groupedNumber(n)} ${n === 1 ? 'message' : 'messages'}`

export const timelineEn = withIsolatedArguments({
  title: 'The chat, oldest first',
  /** Older messages are drawn narrower than the newest ones. */
  older: 'Older messages, on a smaller scale',
  hint: 'Point at a block to read it.',
  hintWithLine: 'Point at a block to read it; drag the line to keep more or less.',
  speakers: { person: 'You', assistant: 'Assistant', tool: 'Tool result', note: 'Note' } satisfies Record<
    Speaker,
    string
  > as Record<Speaker, string>,
  sendings: {
    whole: 'sent whole',
    shortened: 'sent in short',
    summarised: 'only in the summary',
    unsent: 'not sent',
  } satisfies Record<Sending, string> as Record<Sending, string>,
  tokens,
  messages,
  pinned: 'pinned',
  /** Of some: most of them. */
  mostly: (what: string) => `mostly ${what}`,
  place: (first: number, last: number, all: number) =>
    first === last
      ? `Message ${groupedNumber(first)} of ${groupedNumber(all)}`
      : `Messages ${groupedNumber(first)}–${groupedNumber(last)} of ${groupedNumber(all)}`,
  summary: 'Summary',
  summaryName: (n: number, size: number) => `Summary of ${messages(n)}, ${tokens(size)}`,
  summaryLong: (n: number) => `Summary of ${messages(n)}`,

  keepNewest: 'Keep the newest …',
  keeps: (n: number, size: number, leave: number) =>
    `the newest ${messages(n)} (${tokens(size)}) stay; ${messages(leave)} become a summary`,
  allStay: 'all messages stay',
  keepsShort: (n: number) => `Keeps the newest ${groupedNumber(n)}`,
  automatic: 'Automatic',
  automaticHelp: 'Put the line back where the strategy has it',

  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  wholeChat: 'Show the whole chat',
  shows: (first: number, last: number, all: number) =>
    `${groupedNumber(first)}–${groupedNumber(last)} of ${groupedNumber(all)}`,

  /** Behind what became of it, why. */
  reasons: {
    turns: 'the turns were at their limit',
    budget: 'the window was full',
    compact: 'it was compacted',
    overflow: 'the request did not fit',
    clear: 'the context was cleared',
    open: 'the chat had rested',
    'last resort': 'nothing else made room',
    strip: 'older turns keep question and answer',
    removed: 'its text was deleted',
    long: 'it is long',
    repeated: 'it was called again later',
    edited: 'the file changed later',
    unused: 'it is older and hardly used',
    used: 'it is older, but used',
  } satisfies Record<TimelineReason, string> as Record<TimelineReason, string>,
  summaryWaits: 'its summary is still to come',
  noteReason: 'told to you only',
  willLeave: 'goes into the next summary',
  noWords: 'no text',
  pin: 'Pin',
  unpin: 'Unpin',
  pinBack: 'Send again (pin)',
  putBack: 'Put back',
  showInChat: 'Show in the chat',
  open: 'Open the whole',
  failed: 'This message could not be read.',
})
