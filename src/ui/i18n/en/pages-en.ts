/** Pages and dialogs that come later, in English. */
import { groupedNumber } from '../format/format.ts'
import { withIsolatedArguments } from '../../../core/text/display/isolate.ts'

export const pagesEn = withIsolatedArguments({
  // export
  exportTitle: 'Export',
  exportWhat: 'What to export',
  thisChat: 'This chat',
  oneDay: 'One day',
  everything: 'Everything',
  day: 'Day',
  strict: 'Only lines that other tools read (leaves out what Haversack did to the window)',
  canonical:
    'Canonical order, for comparing: the same chat gives the same file on every device (titles and the version in view are left out)',
  exportText: 'A JSON Lines file: one entry a line, readable without Haversack. Keys are never in it.',
  saveFile: 'Save file…',

  // documents of an imported file
  documentsTitle: 'Documents in this file',
  documentsText: (name: string) =>
    `${name === '' ? 'The file' : `“${name}”`} holds documents as well. Nothing of them is written before you choose. What you leave out can be taken by importing the file again.`,
  documentSize: (size: string, day: string) => `${size}, written ${day}`,
  documentReplaces: (size: string, day: string) =>
    `Replaces yours of ${day} (${size}); your text stays among its versions.`,
  documentMemory: 'Waits as a proposal: you see the difference on the memory page and decide there.',
  allDocuments: 'All',
  leaveDocuments: 'Take none',
  takeDocuments: (n: number) => (n === 1 ? 'Take 1 document' : `Take ${groupedNumber(n)} documents`),

  // what the model sees
  viewTitle: 'What the model sees',
  viewText: (messages: number, tokens: number) =>
    `The exact next request: ${groupedNumber(messages)} messages, ${groupedNumber(tokens)} tokens.`,
  roles: { system: 'System', tools: 'Tools', user: 'User', assistant: 'Assistant', tool: 'Tool' },
  tokens: (n: number) => `${groupedNumber(n)} tokens`,
  shortenedTo: (omitted: string, path: string) => `${omitted} left out, whole in ${path}`,
  calls: 'calls',
  reasoningBack: 'Thoughts, sent back',
  goThere: 'Show in chat',

  // preview
  previewTitle: 'Preview of a compaction',
  previewText:
    'What Compact would do now; with another strategy, what that one would do with your next message, as it stands in the message box. Nothing is changed by looking.',
  previewWith: 'With strategy',
  before: 'Before',
  after: 'After',
  wouldSummarise: (n: number) =>
    `${n === 1 ? '1 message' : `${groupedNumber(n)} messages`} would leave the window; a summary would stand for ${n === 1 ? 'it' : 'them'}.`,
  wouldLeave: (n: number) =>
    `${n === 1 ? '1 message' : `${groupedNumber(n)} messages`} would leave the window, without a summary.`,
  wouldRestart: (turns: number) =>
    `This chat has rested, so it would go on with the ${turns === 1 ? 'question and answer of its last turn' : `questions and answers of its last ${groupedNumber(turns)} turns`}.`,
  wouldNotFit: 'Your next message would not fit the window, whatever is taken out.',
  wouldShorten: (n: number) => `${n === 1 ? '1 long text' : `${groupedNumber(n)} long texts`} would be shortened.`,
  previewSummary: 'The summary by rule (a model may write a better one)',
  compactNow: 'Compact now',

  // a path
  lines: (from: number, to: number, of: number) =>
    `lines ${groupedNumber(from)}–${groupedNumber(to)} of ${groupedNumber(of)}`,
  earlier: 'Earlier lines',
  later: 'Later lines',
  removedOn: (day: string, why: string) => `Removed on ${day}: ${why}`,
  copy: 'Copy',
  copied: 'Copied',

  // archive
  archiveTitle: 'Archive',
  archiveText: 'Everything that was ever said, by day, whether the model still sees it or not.',
  noDays: 'Nothing was said yet.',
  entries: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'line' : 'lines'}`,
  exportDay: 'Export this day',
  back: 'All days',
  who: { user: 'You', assistant: 'Assistant', tool: 'Tool' } as Record<string, string>,
  openChat: 'Open chat',
  raw: 'As JSON',
  readable: 'Readable',

  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',

  // settings
  settingsTitle: 'Settings',
  tabs: {
    models: 'Models',
    context: 'Context',
    memory: 'Memory',
    storage: 'Storage',
    appearance: 'Appearance',
    about: 'About',
  },

  defaultModel: 'Model of new chats',
  summariser: 'Model that writes summaries',
  summariserText: 'A small or local one is enough. Where it fails, the chat’s own model is asked.',
  sameModel: 'The chat’s own model',
  servers: 'Servers',
  noServers: 'None yet.',
  addServer: 'Add a server',
  editServer: (name: string) => `Edit ${name}`,
  preset: 'Kind',
  otherServer: 'Another server',
  name: 'Name',
  baseUrl: 'Address',
  noAddress: 'This is no address. One looks like http://localhost:8080/v1.',
  wrongField: (field: string) => `${field}: this cannot be read.`,
  baseUrlHelp: 'The OpenAI-compatible address, mostly ending in /v1',
  key: 'Key',
  keyKept: 'Kept; type to replace it',
  keyOptional: 'if the server wants one',
  keyHelp: 'Kept in this browser’s database, sent to this server only, never exported.',
  getKey: (host: string) => `Get a key at ${host}`,
  headers: 'More headers',
  headersHelp: 'One a line: Name: value',
  window: 'Window in tokens',
  windowHelp: 'Empty: what the server tells, or what its refusals teach. What you type here wins.',
  modelsTyped: 'Models',
  modelsTypedHelp: 'One a line; empty: all that the server lists',
  connect: 'Connect and save',
  connecting: 'Asking the server…',
  saveAnyway: 'Save without asking',
  removeServer: (name: string) => `Delete ${name}`,
  removeServerAsk: (name: string) => `Delete ${name} and its key?`,
  modelCount: (n: number) => `${groupedNumber(n)} ${n === 1 ? 'model' : 'models'}`,
  hasKey: 'with key',
  use: 'Use',
  useName: (name: string) => `Use ${name}`,
  connected: (n: number) => `Connected: ${groupedNumber(n)} ${n === 1 ? 'model' : 'models'}.`,
  insecureServer:
    'This page came over https; browsers refuse its requests to a plain http address that is not this computer.',

  defaultStrategy: 'Strategy of new chats',
  strategyText: {
    balanced:
      'The default: shares of the window, long results shortened first, then a summary; local models compact in the background.',
    qwenpaw: 'As QwenPaw does: long results shortened on arrival, a summary at 80 % of the window.',
    copaw: 'As CoPaw does: a summary at 75 % of the window; tool results are left whole unless switched on.',
    cowagent:
      'As CowAgent does: by turns; of too many the older half leaves and is summarised; after a rest of the app the newest few go on as question and answer.',
  },
  config: 'Numbers',
  configFor: 'for',
  forAll: 'all chats',
  forThisChat: 'this chat',
  configKey: 'Key',
  configValue: 'Value',
  configRange: (min: string, max: string) => `${min} to ${max}`,
  atLeast: (min: string) => `at least ${min}`,
  sources: { default: 'default', all: 'set for all', chat: 'set here' },
  reset: 'Reset',
  resetKey: (key: string) => `Reset ${key}`,
  onlyCurrent: 'Only what this strategy uses',
  configImport: 'Take numbers from a file',
  configImportText:
    'A configuration in the shape of QwenPaw, CoPaw or CowAgent, or flat keys. You see what would change, also the strategy that it is for, before it is applied. It can be pasted after /config as well.',
  configIdle: (strategy: string) => `Without effect under ${strategy}:`,
  limitsInWords: (strategy: string) => `The limits of ${strategy} in words`,
  chooseFile: 'Choose a file…',
  paste: 'or paste it here',
  noChanges: 'Nothing would change.',
  unknownKeys: 'Not known, left out',
  problems: 'Problems',
  apply: 'Apply',
  needsChat: 'Open a chat to see and change its numbers.',

  storageState: {
    kept: 'Chats are kept in this browser.',
    memory: 'Nothing is kept after closing.',
    newer: 'The data is newer than this page: read only.',
    blocked: 'Another tab holds the database.',
    lost: 'The connection to the database was lost.',
    full: 'Storage is full.',
    replaced: 'A newer version took over.',
    gone: 'What was stored is gone, and nothing is kept any more.',
  },
  usage: 'Used',
  usageText: (used: string, quota: string) => `${used} of ${quota}`,
  usageHelp: 'The browser’s own estimate; it is coarse, and space is given back some time after deleting.',
  persisted: 'The browser has promised to keep the data.',
  notPersisted: 'The browser may delete the data when space gets short.',
  keep: 'Ask it to keep my chats',
  retention: 'Removing what is old',
  retentionRule: (of: 'sessions' | 'results', days: number, chats: number) =>
    of === 'results'
      ? `Texts of tool results older than ${days} days that no chat shows any more (rule of ${chats} ${chats === 1 ? 'chat' : 'chats'})`
      : `Chats untouched for ${days} days leave the list; what was said in them stays in the archive (rule of ${chats} ${chats === 1 ? 'chat' : 'chats'})`,
  retentionDue: (results: number, bytes: string, chats: number) =>
    `Due now: ${results} ${results === 1 ? 'text' : 'texts'} (${bytes}) and ${chats} ${chats === 1 ? 'chat' : 'chats'}.`,
  retentionNever:
    'Never removed: what is pinned, open, or in the model’s view, and memory. A note with the day stands where a text was.',
  retentionNone: 'No strategy or setting in use removes anything.',
  retentionState: {
    asked: 'Nothing is removed before you say yes. From then on it is done when the app starts and when it is idle.',
    yes: 'You agreed: it is done when the app starts and when it is idle.',
    no: 'You said no: nothing is removed.',
  },
  retentionYes: 'Yes, remove what is old',
  retentionNo: 'No, keep everything',
  permissions: 'Permissions given',
  noPermissions: 'No tool may act without asking.',
  revoke: 'Take back',
  revokeName: (tool: string, chat: string) => `Take back ${tool} in ${chat}`,
  contacted: 'Hosts contacted',
  contactedText: 'Every host that this page has sent something to, and why.',
  noContacts: 'None. Nothing has left this device.',
  host: 'Host',
  why: 'Why',
  requests: 'Requests',
  sent: 'Sent',
  received: 'Received',
  last: 'Last',
  whys: { model: 'model', tool: 'tool' },

  theme: 'Colours',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  language: 'Language',
  languages: { system: 'As the system', en: 'English', zh: '中文' },
  textSize: 'Text size',
  textSizes: { small: 'Small', normal: 'Normal', large: 'Large', larger: 'Larger' },

  version: 'Version',
  leaves: 'What leaves this device',
  leavesText:
    'Nothing, except: what you send goes to the model server that you chose; a tool that fetches a page contacts that page, after asking. No telemetry, no accounts, no foreign scripts, fonts or images. Storage lists every host.',
  leavesRecall: 'Recall and everything else here work without any network.',
  repair: 'Fetch the app anew',
  repairText:
    'Where something of the app is damaged or old: removes its files from this browser and loads them again. Chats, settings and models stay.',
  shortcuts: 'Keys',
  shortcutNames: {
    newChat: 'New chat',
    search: 'Search',
    message: 'To the message box',
    library: 'Show or hide the library',
    context: 'Show or hide the context',
    settings: 'Settings',
  },
  inMessage: 'In the message box',
  sends: 'Send',
  breaks: 'New line',
  listsCommands: 'Commands',
  licence: 'Free software (MIT).',
  licences: 'Licences of what it is built of',
  failed: 'That did not work',
})
