/** The notices above the chat, in English: title and text of each, and their buttons. */
import type { NoticeKind } from '../../browser/notices.ts'
import { groupedNumber } from '../format/format.ts'

export const noticesEn: Record<NoticeKind, [string, string]> = {
  offline: [
    'You are offline',
    'History, search, Recall and servers in your own network work. A question for any other server waits for the network.',
  ],
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
  notify: [
    'Tell you when an answer is ready?',
    'While no tab of Haversack is in sight, the browser then shows a notification with the title of the chat and nothing of what is said in it.',
  ],
  notifyRefused: [
    'The browser shows no notifications of this page',
    'You can allow them in its settings for this site, and switch them on in Settings, Appearance.',
  ],
  keepRefused: [
    'The browser did not promise to keep your chats',
    'It decides by itself, mostly by how often you are here. Installing the app or exporting now and then is the safe way. Settings, Storage asks it again.',
  ],
}

export const noticeActionsEn = {
  more: (n: number) => `${groupedNumber(n)} more`,
  /** Begins with what the button shows. */
  next: (at: number, of: number) => `${groupedNumber(at)}/${groupedNumber(of)}: next notice`,
  reload: 'Reload',
  save: 'Save what is open',
  export: 'Export everything',
  import: 'Import',
  retry: 'Try again',
  keep: 'Keep my chats',
  install: 'Install',
  dismiss: 'Dismiss',
  continue: 'Continue',
  storage: 'Storage',
  notify: 'Notify me',
}
