/**
 * What does not match in an imported log, as sentences for the person. The log itself is stored as it came; the view
 * repairs it (C2.2). Pure.
 */
import type { Id, Log } from '../../log/entry.ts'
import { unansweredCalls } from '../../log/query.ts'

/** One sentence for each kind of fault, with how often it occurs and the first entry that shows it. */
export type ImportFault = { first: Id; reason: string }

export function importFaults(log: Log): ImportFault[] {
  const known = new Set<Id>()
  const groups = new Set<Id>()
  const open = new Map<string, number>()
  const kinds = new Map<string, Id[]>()
  const found = (kind: string, id: Id): void => {
    const ids = kinds.get(kind)
    if (ids) ids.push(id)
    else kinds.set(kind, [id])
  }
  let before = -Infinity
  for (const entry of log) {
    if (entry.at < before) found('time', entry.id)
    before = Math.max(before, entry.at)
    if (entry.type === 'assistant') {
      const own = new Set(entry.calls.map(call => call.id))
      if (own.size < entry.calls.length) found('twice', entry.id)
      for (const id of own) open.set(id, (open.get(id) ?? 0) + 1)
    } else if (entry.type === 'result') {
      const left = open.get(entry.callId) ?? 0
      if (left === 0) found('orphan', entry.id)
      else open.set(entry.callId, left - 1)
    }
    if ('group' in entry) groups.add(entry.group)
    const named = namedBy(entry)
    if (named !== null && !known.has(named) && !(entry.type === 'undo' && groups.has(named))) found('nothing', entry.id)
    known.add(entry.id)
  }
  const unanswered = unansweredCalls(log)
  if (unanswered[0])
    kinds.set(
      'unanswered',
      unanswered.map(({ assistant }) => assistant.id),
    )
  return [...kinds].map(([kind, ids]) => ({ first: ids[0]!, reason: sentences[kind]!(ids.length) }))
}

/** What an edit is about; null where it names nothing, or everything. */
function namedBy(entry: Log[number]): Id | null {
  switch (entry.type) {
    case 'cut':
    case 'strip':
      return entry.before
    case 'summary':
      return entry.of
    case 'shorten':
    case 'pin':
    case 'undo':
      return entry.target
    default:
      return null
  }
}

const sentences: Record<string, (count: number) => string> = {
  orphan: count =>
    `${count} ${count === 1 ? 'result answers' : 'results answer'} no call; kept, but not sent to the model`,
  unanswered: count => `${count} ${count === 1 ? 'call has' : 'calls have'} no result; the model is told so`,
  twice: count =>
    `${count} ${count === 1 ? 'answer makes' : 'answers make'} two calls with one id; only the first of them is sent`,
  nothing: count =>
    `${count} ${count === 1 ? 'change of the context names' : 'changes of the context name'} a message that is not there; kept, without effect`,
  time: count =>
    `${count} ${count === 1 ? 'message is' : 'messages are'} older than the one before; kept in the order of the file`,
}
