/** The talk, in English. */
import type { IdleTrim } from '../../../core/agent/api/context-api.ts'
import type { Usage } from '../../../core/log/message.ts'
import { groupedNumber, usageText } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

const plural = (n: number, one: string, many: string) => `${groupedNumber(n)} ${n === 1 ? one : many}`

export const chatEn = withIsolatedArguments({
  // names by which a screen reader finds things
  conversation: 'Conversation',
  you: 'You',
  assistant: 'Assistant',
  tool: (name: string) => `Tool ${name}`,
  note: 'Note',
  summary: 'Summary',
  memory: 'Memory',
  foreign: 'Imported line',

  // the message box
  message: 'Message',
  placeholder: 'Message…',
  placeholderQueues: 'Write on: it is sent when the answer is done…',
  send: 'Send',
  stop: 'Stop',
  queue: 'Queue',
  queueTitle: 'Send it when the answer is done',
  queued: 'Waiting to be sent',
  queuedGoes: (n: number) =>
    n === 1
      ? 'Sent when the answer is done'
      : `${groupedNumber(n)} messages, sent one after the other when the answer is done`,
  queuedWaits: (n: number) =>
    n === 1
      ? 'Not sent: the answer did not come to its end'
      : `${groupedNumber(n)} messages, not sent: the answer did not come to its end`,
  sendNow: 'Send now',
  takeBack: 'Take back',
  takeBackTitle: 'Back into the message box, to change it',
  removeQueued: 'Remove',
  removedQueued: 'Removed, not sent.',
  putBackQueued: 'Undo',
  sendNowTitle: 'Stops the answer and sends this',
  attach: 'Attach',
  attachTexts: 'Attach text files',
  attachments: 'Attachments',
  removeAttachment: (name: string) => `Remove ${name}`,
  pasteTooLarge: (limit: string) => `The text is too large to be attached (more than ${limit})`,
  commands: 'Commands',
  sendAsText: 'Send as text',

  // a message's actions
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: 'The browser refused. Select the text and copy it.',
  edit: 'Edit',
  save: 'Save',
  saveAndSend: 'Send again',
  cancel: 'Cancel',
  editing: 'Edit message',
  enterKey: 'Enter',
  editKeys: (keys: string, save: string) => `Enter: new line · ${keys}: ${save}`,
  regenerate: 'Regenerate',
  previousVersion: 'Previous version',
  nextVersion: 'Next version',
  version: (index: number, of: number) => `${index}/${of}`,
  pin: 'Pin',
  unpin: 'Unpin',
  pinned: 'Pinned: never taken out of the window',
  remove: 'Delete',
  removeAsk: 'Delete this message? Its text is blanked for good, also in the archive.',
  more: 'More',
  gone: (day: string, why: string) => `Removed on ${day}: ${why}`,
  showAll: (size: string) => `Show all (${size})`,
  showLess: 'Show less',

  // the model's answer
  thought: 'Thoughts',
  copyCode: 'Copy code',
  imageBlocked: 'A remote image. It is not loaded by itself, because loading it tells that server that you read this.',
  continue: 'Continue',
  retry: 'Retry',
  stoppedByYou: 'Stopped by you',
  interrupted: 'Cut off by a restart',
  failedMidway: 'Broken off by an error',
  lengthReached: 'The answer reached the output limit',
  onlyThought: 'So far there are only thoughts.',
  moreRoom: 'Continue with more room',
  answerNow: 'Answer now',
  filtered: 'The provider held this answer back',

  // tool calls
  toolWrites: (name: string, size: string) => `Writing the call of ${name} (${size})`,
  arguments: 'Arguments',
  result: 'Result',
  noResult: 'No result yet',
  noResultImported: 'It came with an imported file that holds no result for it. It does not run here.',

  // edits of the window
  summarised: (n: number) => `${plural(n, 'message', 'messages')} summarised`,
  cleared: (n: number) => `${plural(n, 'message', 'messages')} taken out of the window`,
  stripped: (n?: number) => `${n === undefined ? 'Turns' : plural(n, 'turn', 'turns')} reduced to question and answer`,
  summaryComing: 'The summary is being written',
  byRule: 'Made by rule, without a model',
  askedByAgent: 'Asked for by the assistant',
  byRuleUnfollowed: 'Made by rule, without a model: your instruction could not be followed',
  byPerson: 'Edited by you',
  tokensFromTo: (before: number, after: number) => `${groupedNumber(before)} → ${groupedNumber(after)} tokens`,
  undo: 'Undo',
  undone: 'Undone',
  showOriginals: 'Show originals',
  lines: (from: number, to: number) =>
    from === to ? `line ${groupedNumber(from)}` : `lines ${groupedNumber(from)}–${groupedNumber(to)}`,

  // permission
  permission: 'Permission',
  permissionAsk: (tool: string) => `${tool} asks for your permission`,
  charactersBetween: (n: number) => `… ${groupedNumber(n)} characters …`,
  showAllOf: 'Show all',
  allow: 'Allow',
  alwaysHere: 'Always in this chat',
  deny: 'Deny',
  reach: {
    'other chats': {
      title: (model: string) => `${model} would like to read your other chats, notes and files`,
      text: (model: string, isHere: boolean) =>
        `${isHere ? `${model} runs on this device, but a model elsewhere has answered in this chat, and is sent what stands in it when it answers again.` : `What it finds there is sent to ${model}, which does not run on this device.`} Chats that, as far as is known here, never left this device, and files written in them, stay out of it, unless you allow them too. You are asked once in this chat.`,
      local: 'Allow, also chats of this device',
    },
    'this chat': {
      title: (model: string) => `Send this chat to ${model}?`,
      text: (model: string) =>
        `As far as is known here, it has never left this device. With your next message what is in the window goes to ${model}, which does not run here.`,
    },
  },

  // status line, in words
  status: {
    idle: '',
    thinking: 'Waiting for the first words',
    reasoning: 'Thinking',
    writing: 'Writing',
    speed: (tokens: string) => `${tokens} tokens/s`,
    running: (tool: string) => `Running ${tool}`,
    compacting: 'Compacting',
    retrying: (attempt: number, seconds: number) => `attempt ${attempt} in ${seconds} s`,
    offline: 'offline',
    awaitsNetwork: 'Waits for the network',
    loading: 'Loading the model',
    downloading: 'Downloading the model',
  },
  /** Said to a screen reader only. */
  said: {
    finished: 'Answer finished',
    asks: 'Tool asks for permission',
    compacted: (n: number) => `Compacted ${plural(n, 'message', 'messages')}`,
    stopped: 'Stopped',
    failed: 'Failed',
  },

  // empty, errors
  emptyTitle: 'What shall we work on?',
  emptyText: 'Everything said here is kept in this browser and stays findable, also when it no longer fits the model.',
  loadingChat: 'Opening the chat',
  jumpToNewest: 'Jump to newest',
  dismiss: 'Dismiss',
  findCause: 'Find the cause',
  openSettings: 'Open settings',

  // find in chat
  find: 'Find in chat',
  findPlaceholder: 'Find in this chat',
  findNext: 'Next hit',
  findPrevious: 'Previous hit',
  findClose: 'Close search',
  findCount: (index: number, of: number) => (of === 0 ? 'No hits' : `${groupedNumber(index)} of ${groupedNumber(of)}`),

  // the rest of the talk
  code: 'Code',
  table: 'Table',
  editSummary: 'Edit summary',
  openAttachment: (name: string) => `Open ${name}`,
  betweenEnds: (size: string) => `The middle is not shown here; the whole text has ${size}`,
  argumentsOf: (name: string) => `Arguments of ${name}`,
  state: {
    open: 'no result',
    running: 'running',
    asking: 'asks for permission',
    done: 'done',
    error: 'failed',
    denied: 'denied',
  },
  showsTo: (shown: string) => `shows ${shown}`,
  characters: (n: number) => `${groupedNumber(n)} characters`,
  madeBy: (model: string, span: string) => `${model} · ${span}`,
  notShown: 'Not in view: a newer summary or a clear took its place',
  restored: 'Undone: the messages are in the window again.',
  noteStays: 'The note of the day that came with it stays; it can be removed on the Memory page.',
  summaryWaits: 'Sent from your next message on; until then the window holds that much less.',
  owes: {
    turns: 'Older turns went out of the window',
    budget: 'Over the budget: older turns went out of the window',
    compact: 'Compacted',
    overflow: 'Too long for the model: older messages went out of the window',
  },
  openCut: 'Restart of the chat: only the newest turns are sent',
  lastResort: 'Too long for the model: only your question is sent',
  clearedContext: 'Context cleared',
  border: 'From here on the model sees every message',
  checked: { unconfirmed: 'Not found in what was said here:', alsoMentioned: 'Also mentioned:' },
  sections: {
    goal: 'Goal',
    constraints: 'Constraints',
    progress: 'Progress',
    decisions: 'Key decisions',
    next: 'Next steps',
    critical: 'Critical context',
  } as Record<string, string>,
  details: {
    when: 'When',
    model: 'Model',
    local: 'on this device',
    tokens: 'Tokens',
    window: 'Window',
    out: 'no longer sent',
    inside: 'sent to the model',
    place: 'Lies in',
  },
  spent: (usage: Usage) => usageText(usage, { read: 'read', cached: 'of them from the cache', written: 'written' }),
  removeQuestion: 'Delete for good?',
  awaitsNetwork:
    'Your question waits for the network. It is sent when this device is online again, also after a reload.',
  tryNow: 'Try now',
  whoWaits:
    'This chat is being answered in another tab. You see everything here too, can stop it, and can write when it is done.',
  restart: ({ turns, messages, before, after }: IdleTrim) =>
    `With your next message this chat goes on with the ${turns === 1 ? 'question and answer of its last turn' : `questions and answers of its last ${groupedNumber(turns)} turns`}: ${messages === 1 ? '1 message leaves' : `${groupedNumber(messages)} messages leave`} the window (${groupedNumber(before)} → ${groupedNumber(after)} tokens). Nothing is deleted.`,
  keepAll: 'Keep all',
  cutOffTitle: 'The last answer was cut off',
  cutOffText: 'What had come is kept.',
  importCutTitle: 'The import of this chat was cut off',
  importCutText: 'You see what has come. Import the file again: what is missing is added.',
  importedCallTitle: 'Imported with an open tool call',
  importedCallText: 'It is not run here. Continue lets the model go on without its result.',
  suggestions: [
    { title: 'Ask something', text: 'Explain how a bicycle stays upright' },
    { title: 'Work on a text', text: 'Help me shorten this letter: ' },
    { title: 'Look something up', text: '/search ' },
    { title: 'See the window', text: '/context' },
  ],
  suggestionsForRecall: [
    { title: 'Find what was said', text: 'What did I say about ' },
    { title: 'Keep something', text: 'Remember that ' },
    { title: 'See what is kept', text: 'List my files' },
    { title: 'Get to know Recall', text: 'What can you do?' },
  ],
  lookedUp: 'Looked through what is kept here',
  loadMore: 'Show more',
  searchHint: 'Searches all of this chat, also what is not on screen',
  compactNow: 'Compact now',
  longAttachment:
    'Of a text this long the model sees the beginning and the end, and reads on by itself where it needs more.',
})
