/**
 * What is shown at the end of a chat whose answer is incomplete: which row says so, once, and how it can be continued.
 * Pure.
 */
import type { Status } from '../../core/agent/api/api.ts'
import { isCutOff } from '../../core/log/answer-parts.ts'
import { endsTurn } from '../../core/log/query.ts'
import type { NoteItem, TranscriptItem } from './transcript-items.ts'

/** `thoughts`: the answer is reasoning only, so it can be continued with more room or without more reasoning. */
export type ContinueOffer = 'go on' | 'thoughts'

/**
 * What is said of rows by their place. `quiet`: a note behind the answer says how it ended. `hidden`: another row says
 * it.
 */
export type Endings = {
  hidden: ReadonlySet<number>
  quiet: ReadonlySet<number>
  offer?: { at: number; how: ContinueOffer }
  /** The answer that the next one continues. */
  open?: number
}

/** Whether an answer on the screen is incomplete, so that the next one continues it. */
export function isUnfinished(item: TranscriptItem | undefined): boolean {
  return item?.type === 'assistant' && !item.gone && !item.gap && isCutOff({ ...item, calls: { length: item.calls } })
}

/** Of all items; `state`: only at rest something is offered. O(n). */
export function endingsOf(items: readonly TranscriptItem[], state: Status['state']): Endings {
  const hidden = new Set<number>()
  const quiet = new Set<number>()
  let fact = -1
  let notes: number[] = []
  const close = (): void => {
    const said = notes.at(-1)
    if (said === undefined || fact < 0) return
    const last = items[said] as NoteItem
    const answered = items[fact]
    if (!isUnfinished(answered)) {
      for (const at of notes) if (at !== said && (items[at] as NoteItem).text === last.text) hidden.add(at)
      return
    }
    for (const at of notes) if (at !== said) hidden.add(at)
    if (saysNoMore.has(last.code)) hidden.add(said)
    else quiet.add(fact)
  }
  for (const [at, item] of items.entries()) {
    if (endsAnswer(item)) notes.push(at)
    if (item.type !== 'user' && item.type !== 'assistant' && item.type !== 'tool' && item.type !== 'orphan') continue
    close()
    fact = at
    notes = []
  }
  close()
  const newest = items[fact]
  const open = isUnfinished(newest) ? { open: fact } : {}
  if (
    newest === undefined ||
    (state !== 'idle' && state !== 'interrupted') ||
    ('outOfContext' in newest && newest.outOfContext)
  )
    return { hidden, quiet, ...open }
  const said = notes.at(-1)
  const last = said === undefined ? undefined : (items[said] as NoteItem)
  if (newest.type === 'assistant' && isUnfinished(newest))
    return {
      hidden,
      quiet,
      ...open,
      offer: {
        at: quiet.has(fact) ? said! : fact,
        how:
          newest.text.trim() === '' && (newest.reasoning.trim() !== '' || newest.stop === 'length')
            ? 'thoughts'
            : 'go on',
      },
    }
  const isOffered =
    last !== undefined &&
    (state === 'interrupted' ||
      last.code === 'loop_ended' ||
      (last.code === 'stopped' && (newest.type !== 'assistant' || newest.calls > 0)))
  return isOffered ? { hidden, quiet, offer: { at: said!, how: 'go on' } } : { hidden, quiet }
}

/** Whether it is a note that says how an answer ended. */
export function endsAnswer(item: TranscriptItem): item is NoteItem {
  return item.type === 'note' && (endsTurn(item) || alsoEnds.has(item.code))
}

/** Notes that say of a turn that its answer did not come, or not to its end, besides those of failures. */
const alsoEnds = new Set(['thought_limit', 'loop_ended', 'retry'])
/** Behind an answer that is marked they add nothing. */
const saysNoMore = new Set(['stopped', 'restored'])
