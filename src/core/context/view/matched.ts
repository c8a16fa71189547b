/**
 * Whether calls and results match one to one before any repair (C7.4). Pure; for a log that grew only the new entries
 * are read.
 */
import type { Entry, Id, Log } from '../../log/entry.ts'

type Walked = {
  length: number
  last: Entry | undefined
  /** Calls of the newest step that have no result yet, and its position. */
  open: Set<Id>
  openAt: number
  /**
   * Position of the newest result without a call, or step whose calls come twice or were not all answered; -1: none.
   */
  broken: number
}

/** By the first entry of the chat. */
const walkCache = new WeakMap<Entry, Walked>()

/**
 * Whether each call from position `from` on has its result right behind its step, and each result its call. A text that
 * was removed changes nothing about that: what is known holds as long as the newest entry looked at is still there.
 */
export function isMatched(log: Log, from: number): boolean {
  const walked = walk(log)
  return (walked.open.size === 0 || walked.openAt < from) && walked.broken < from && firstFact(log, from) !== 'result'
}

function walk(log: Log): Walked {
  const [first] = log
  const known = first && walkCache.get(first)
  const isSame = known !== undefined && known.length <= log.length && log[known.length - 1] === known.last
  const walked: Walked = isSame ? known : { length: 0, last: undefined, open: new Set(), openAt: -1, broken: -1 }
  const { open } = walked
  for (let at = walked.length; at < log.length; at++) {
    const fact = log[at]!
    if (fact.type === 'result') {
      if (!open.delete(fact.callId)) walked.broken = at
    } else if (fact.type === 'user' || fact.type === 'assistant') {
      if (open.size > 0) walked.broken = walked.openAt
      open.clear()
      walked.openAt = at
      if (fact.type === 'assistant')
        for (const { id } of fact.calls) {
          if (open.has(id)) walked.broken = at
          open.add(id)
        }
    }
  }
  walked.length = log.length
  walked.last = log.at(-1)
  if (first) walkCache.set(first, walked)
  return walked
}

/** A cut inside a step leaves its results without their call. */
function firstFact(log: Log, from: number): Entry['type'] | undefined {
  for (let at = from; at < log.length; at++) {
    const { type } = log[at]!
    if (type === 'user' || type === 'assistant' || type === 'result') return type
  }
  return undefined
}
