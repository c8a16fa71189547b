/**
 * What the build uses beyond the oldest browsers, and why it may. A row that nothing needs any more fails the check.
 */

const passedOver = 'only looks: a browser that does not know it passes it over'
const touch = 'only looks and handles for a mouse; the phones that lack it have none'
const asked = 'asked for before it is used, with another way where it is missing'
const library = 'of a library, which asks for it first'

export const allowed: Readonly<Record<string, string>> = {
  'navigator.connection': asked, // local-models/LocalModels.svelte: no warning of a metered line
  'navigator.deviceMemory': asked, // local-models/device.ts: advice without it
  'navigator.gpu': asked, // local-models/device.ts, webllm.worker.ts: no models of the graphics card
  '.requestAdapter()': asked,
  'window.showSaveFilePicker': asked, // files/save-file.ts: a download instead
  '.createWritable()': asked, // the same: of what the picker answers
  'CSS.highlights': asked, // chat/paint-hits.ts: the words found are not coloured
  Highlight: asked,
  '.promptStreaming()': asked, // prompt-api.ts: the browser's own model
  'navigator.canShare': asked, // share/ShareDialog.svelte: the file is saved only
  'navigator.share': asked, // the same
  'navigator.setAppBadge': asked, // installed/badge.ts: no number on the icon
  'navigator.clearAppBadge': asked, // the same
  'globalThis.launchQueue': asked, // installed/launches.ts: nothing opens the app with a file there
  '.setConsumer()': asked, // the same
  '.createPolicy()': library, // Svelte and DOMPurify: trusted types
  '.getAttributeType()': library,
  setImmediate: library, // Dexie: for Node
  'navigator.userAgentData': library, // Dexie
  'Error.captureStackTrace': library,
  'Error.stackTraceLimit': library,
  ':highlight': passedOver,
  ':selection': passedOver,
  'field-sizing': 'composer/grow-with-text.svelte.ts lets the message box grow by itself where this is missing',
  'field-sizing: content': 'as above',
  'forced-color-adjust': passedOver,
  'forced-color-adjust: none': passedOver,
  'line-clamp': 'stands beside -webkit-line-clamp, which all know',
  'scrollbar-gutter': passedOver,
  'scrollbar-gutter: stable': passedOver,
  'text-size-adjust': passedOver,
  'text-wrap: balance': passedOver,
  'text-wrap: pretty': passedOver,
  'cursor: default': touch,
  'cursor: ew-resize': touch,
  'cursor: not-allowed': touch,
  'cursor: pointer': touch,
  'cursor: progress': touch,
  resize: touch,
  'resize: none': touch,
  'resize: vertical': touch,
}
