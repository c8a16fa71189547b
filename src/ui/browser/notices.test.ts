import { expect, it } from 'vitest'
import { isCovered, noticesOf, type NoticeInputs } from './notices.ts'

const calm: NoticeInputs = {
  online: true,
  secure: true,
  storage: { state: 'kept', persisted: true, usage: 1, quota: 1e9 },
  siteCleared: false,
  update: false,
  chunkLost: false,
  answering: false,
  attached: false,
  chats: 2,
  hadChats: 2,
  hasStoredChat: true,
  paused: false,
  restarted: false,
  gaveUp: false,
  startError: undefined,
  cutOff: false,
  askedToKeep: false,
  keepRefused: false,
  canInstall: false,
  asksToNotify: false,
  notifyRefused: false,
  asksToForget: false,
  dismissed: new Set(),
}
const kinds = (known: Partial<NoticeInputs>) => noticesOf({ ...calm, ...known }).map(({ kind }) => kind)

it('says nothing where all is well', () => {
  expect(kinds({})).toEqual([])
})

it('tells each state by itself', () => {
  expect(kinds({ online: false })).toEqual(['offline'])
  expect(kinds({ chunkLost: true })).toEqual(['chunkLost'])
  expect(kinds({ paused: true })).toEqual(['paused'])
  expect(kinds({ restarted: true })).toEqual(['restarted'])
  expect(kinds({ restarted: true, gaveUp: true })).toEqual(['gaveUp'])
  expect(noticesOf({ ...calm, startError: 'SecurityError: no' })).toMatchObject([
    { kind: 'notStarted', tone: 'alert', detail: 'SecurityError: no' },
  ])
  expect(kinds({ secure: false })).toEqual(['insecure'])
  for (const state of ['memory', 'newer', 'blocked', 'lost', 'full', 'replaced'] as const)
    expect(kinds({ storage: { state } })).toEqual([state])
})

it('says once what an error says too', () => {
  expect(isCovered('worker_lost', noticesOf({ ...calm, gaveUp: true }))).toBe(true)
  expect(isCovered('storage_blocked', noticesOf({ ...calm, storage: { state: 'blocked' } }))).toBe(true)
  expect(isCovered('worker_lost', noticesOf({ ...calm, restarted: true }))).toBe(true)
  expect(isCovered('worker_lost', noticesOf({ ...calm, chunkLost: true }))).toBe(false)
  expect(isCovered('network', noticesOf({ ...calm, online: false }))).toBe(false)
})

it('offers export where what is here will be gone', () => {
  for (const state of ['memory', 'newer', 'full'] as const)
    expect(noticesOf({ ...calm, storage: { state } })[0]?.actions).toContain('export')
})

it('names who took what was stored, and offers to save what is still open before a reload', () => {
  expect(kinds({ storage: { state: 'gone', reason: 'deleted' } })).toEqual(['deleted'])
  expect(kinds({ storage: { state: 'gone', reason: 'removed' }, siteCleared: true })).toEqual(['cleared'])
  expect(kinds({ storage: { state: 'gone', reason: 'removed' } })).toEqual(['dropped'])
  for (const state of ['gone', 'lost', 'replaced', 'full'] as const)
    expect(noticesOf({ ...calm, storage: { state } })[0]?.actions[0]).toBe('save')
  expect(isCovered('storage_gone', noticesOf({ ...calm, storage: { state: 'gone' } }))).toBe(true)
})

it('promises nothing of chats that are gone: not to keep them, and no new version that leaves them', () => {
  expect(
    kinds({
      storage: { state: 'gone', persisted: false, usage: 95, quota: 100 },
      siteCleared: true,
      update: true,
      chunkLost: true,
    }),
  ).toEqual(['cleared'])
})

it('does not call a full disk or a database that cannot be read a private window', () => {
  expect(kinds({ storage: { state: 'memory', why: 'full' } })).toEqual(['memoryFull'])
  expect(kinds({ storage: { state: 'memory', why: 'broken' } })).toEqual(['memoryBroken'])
})

it('does not offer to reload while an answer comes or a file waits to be sent; what is typed is kept', () => {
  expect(kinds({ update: true })).toEqual(['update'])
  expect(kinds({ update: true, answering: true })).toEqual(['updateBusy'])
  expect(kinds({ update: true, attached: true })).toEqual(['updateBusy'])
  expect(noticesOf({ ...calm, update: true, attached: true })[0]?.actions).not.toContain('reload')
})

it('takes vanished chats for an eviction only where the list is read, empty, and there were some', () => {
  expect(kinds({ chats: 0, hadChats: 3, hasStoredChat: false })).toEqual(['evicted'])
  expect(
    kinds({ chats: 0, hadChats: 0, hasStoredChat: false, storage: { ...calm.storage, reason: 'evicted' } }),
  ).toEqual(['evicted'])
  expect(kinds({ chats: undefined, hadChats: 3, hasStoredChat: false })).toEqual([])
  expect(kinds({ chats: 0, hadChats: 0, hasStoredChat: false })).toEqual([])
  expect(kinds({ chats: 1, hadChats: 3 })).toEqual([])
  expect(kinds({ chats: 0, hadChats: 3, hasStoredChat: false, storage: { state: 'memory' } })).toEqual(['memory'])
})

it('calls storage nearly full by share and by what is left', () => {
  const gigabyte = 1024 ** 3
  expect(kinds({ storage: { ...calm.storage, usage: 0.95 * gigabyte, quota: gigabyte } })).toEqual(['nearlyFull'])
  expect(kinds({ storage: { ...calm.storage, usage: 0.5 * gigabyte, quota: gigabyte } })).toEqual([])
  expect(kinds({ storage: { ...calm.storage, usage: 95 * gigabyte, quota: 100 * gigabyte } })).toEqual([])
})

it('asks the browser to keep the chats only once there is one, and not again after an answer', () => {
  const storage = { ...calm.storage, persisted: false }
  expect(kinds({ storage })).toEqual(['keep'])
  expect(kinds({ storage, hasStoredChat: false })).toEqual([])
  expect(kinds({ storage, secure: false })).toEqual(['insecure'])
  expect(noticesOf({ ...calm, storage })).toMatchObject([{ kind: 'keep', actions: ['keep', 'dismiss'] }])
  expect(noticesOf({ ...calm, storage, canInstall: true })).toMatchObject([
    { kind: 'keep', actions: ['keep', 'install', 'dismiss'] },
  ])
  expect(kinds({ storage, askedToKeep: true })).toEqual([])
  expect(kinds({ storage, askedToKeep: true, keepRefused: true })).toEqual(['keepRefused'])
  expect(kinds({ storage: { ...storage, persisted: true }, askedToKeep: true, keepRefused: true })).toEqual([])
})

it('offers notifications when it is told to, before what can wait', () => {
  const storage = { ...calm.storage, persisted: false }
  expect(kinds({ asksToNotify: true, storage })).toEqual(['notify', 'keep'])
  expect(kinds({ notifyRefused: true })).toEqual(['notifyRefused'])
})

it('says nothing that the open chat says already, and offers nothing that it offers', () => {
  expect(kinds({ restarted: true, cutOff: true })).toEqual([])
  expect(noticesOf({ ...calm, paused: true })[0]?.actions).toContain('continue')
  expect(noticesOf({ ...calm, paused: true, cutOff: true })[0]?.actions).toEqual(['dismiss'])
})

it('puts the most pressing first and leaves out what was dismissed', () => {
  expect(kinds({ online: false, chunkLost: true, storage: { state: 'full' }, secure: false })).toEqual([
    'chunkLost',
    'full',
    'insecure',
    'offline',
  ])
  expect(kinds({ online: false, dismissed: new Set(['offline' as const]) })).toEqual([])
})

it('asks once about what is due by a rule, and points to where it is explained', () => {
  expect(noticesOf({ ...calm, asksToForget: true })).toEqual([
    { kind: 'retention', tone: 'plain', actions: ['storage', 'dismiss'] },
  ])
  expect(noticesOf({ ...calm, asksToForget: true, dismissed: new Set(['retention']) })).toEqual([])
})

it('says in a private window that all goes with it, offers export, and does not ask to keep', () => {
  const storage = { ...calm.storage, persisted: false }
  expect(kinds({ storage })).toEqual(['keep'])
  expect(noticesOf({ ...calm, storage: { ...storage, private: true } })).toMatchObject([
    { kind: 'private', actions: ['export', 'dismiss'] },
  ])
  expect(kinds({ storage: { state: 'memory', private: true } })).toEqual(['memory'])
})
