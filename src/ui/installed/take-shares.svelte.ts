/**
 * What another program has shared with the app goes into the message box of a new chat. It is never sent by itself, and
 * it is kept beside the chats until its words are stored with the chat and its files are sent or taken out again.
 */
import { watch } from '../browser/watch.svelte.ts'
import { dropShare, filesOf, standsIn, waitingShares, type ReceivedShare } from '../../bridge/shared/received-shares.ts'
import type { AgentApi } from '../../core/agent/api/api.ts'
import type { Id, SessionId } from '../../core/log/entry.ts'
import type { Dropped } from '../files/dropped.ts'

/** What is needed of the open chat. */
export type SharesChat = {
  readonly id: SessionId
  readonly leaf: Id | null
  readonly busy: boolean
  readonly draft: { readonly typed: string; readonly attached: readonly object[] }
}
/** What is needed of the page. */
export type SharesPage = {
  readonly api: Pick<AgentApi, 'saveDraft'>
  readonly session: SharesChat | undefined
  newChat(): void
  takeFiles(dropped: Dropped, wish: 'attach' | 'either'): Promise<void>
}

/** How long a message box may be empty, because its message is on its way, before its files count as gone. Unit: ms. */
const goneAfterMs = 1_000

/**
 * Opens a new chat with all that waits in its message box: what no page has taken yet, and what stood in a chat that is
 * not among these. Answers false where nothing waits.
 */
export async function takeShares(page: SharesPage, chats: readonly { id: SessionId }[]): Promise<boolean> {
  const stored = new Set(chats.map(({ id }) => id))
  const shares = await claimed(({ id, chat }) => !mine.has(id) && (chat === undefined || !stored.has(chat)))
  if (shares.length === 0) return false
  page.newChat()
  const session = page.session!
  await attach(page, shares)
  const isKept = session.draft.typed === '' || (await isStored(page, session))
  // Words that are in the draft need not be kept here; those that were long became a file, which is in none.
  const isInDraft = (text: string): boolean => isKept && session.draft.typed.includes(text)
  for (const share of shares)
    await standsIn({ ...share, text: isInDraft(share.text) ? '' : share.text }, session.id, caches)
  if (isKept) dropWhenGone(session, shares)
  return true
}

/** Files that stood in the message box of this chat when the page was left come back into it. */
export async function attachAgain(page: SharesPage, session: SharesChat): Promise<void> {
  if (session.draft.attached.length > 0) return
  const shares = await claimed(({ chat }) => chat === session.id)
  if (shares.length === 0 || page.session !== session || session.draft.attached.length > 0) return
  await attach(page, shares)
  dropWhenGone(session, shares)
}

/** Those of the shares that no other page has in a message box. */
async function claimed(wanted: (share: ReceivedShare) => boolean): Promise<ReceivedShare[]> {
  const free: ReceivedShare[] = []
  for (const share of await waitingShares(caches)) if (wanted(share) && (await claim(share))) free.push(share)
  return free
}

/** What this page has in a message box. */
const mine = new Set<string>()

/** Held as long as this page lives. */
function claim({ id, chat }: ReceivedShare): Promise<boolean> {
  if (mine.has(id)) return Promise.resolve(chat !== undefined) // else it is on its way into a new chat
  return new Promise(resolve => {
    void navigator.locks.request(`shared:${id}`, { ifAvailable: true }, lock => {
      if (lock !== null) mine.add(id)
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<never>(() => {})
    })
  })
}

/** Exported chats among the files are imported, as if they had been dropped. */
async function attach(page: SharesPage, shares: readonly ReceivedShare[]): Promise<void> {
  const words = shares.map(({ text }) => text).filter(text => text !== '')
  if (words.length > 0) await page.takeFiles({ files: [], folders: [], text: words.join('\n\n') }, 'attach')
  const files = (await Promise.all(shares.map(share => filesOf(share, caches)))).flat()
  const tooLarge = shares.flatMap(share => share.files.filter(({ kept }) => !kept).map(({ name }) => name))
  if (files.length + tooLarge.length > 0) await page.takeFiles({ files, folders: [], text: '', tooLarge }, 'either')
}

/** Whether the store has confirmed the words in the message box. */
async function isStored({ api }: SharesPage, { id, draft }: SharesChat): Promise<boolean> {
  try {
    await api.saveDraft(id, draft.typed)
    return true
  } catch {
    return false // they are told from the draft's own failure, and come again with the next start
  }
}

/** Drops the shares once none of their files stands in the message box any more: sent, or taken out by the person. */
function dropWhenGone(session: SharesChat, shares: readonly ReceivedShare[]): void {
  const begun = session.leaf
  const stop = $effect.root(() => {
    watch(
      () => session.draft.attached.length === 0 && (session.leaf !== begun || !session.busy),
      isGone => {
        if (!isGone) return
        const timer = setTimeout(() => {
          stop()
          for (const share of shares) void dropShare(share, caches)
        }, goneAfterMs)
        return () => clearTimeout(timer)
      },
    )
  })
}
