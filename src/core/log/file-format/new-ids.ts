/** Entries of an import under other ids, with everything that names them (C9.5). Pure. */
import { entryLine } from './jsonl.ts'
import { parsePath, pathOf } from '../paths.ts'
import { termHash } from '../../text/search/term-hash.ts'
import type { Entry, Id } from '../entry.ts'

/**
 * The entry with its own id, its parent and every id that it names replaced: target, before, pin, of, covers, group,
 * supersedes, the cut and the clear of a memory, attachments' blobs. `name` gives the new id, or the same one. Calls
 * keep their ids.
 */
export function renamed(entry: Entry, name: (id: Id) => Id): Entry {
  const base = { id: name(entry.id), parent: entry.parent === null ? null : name(entry.parent) }
  switch (entry.type) {
    case 'user':
      return {
        ...entry,
        ...base,
        ...(entry.attachments
          ? { attachments: entry.attachments.map(it => (it.blob === undefined ? it : { ...it, blob: name(it.blob) })) }
          : {}),
      }
    case 'assistant':
    case 'result':
    case 'note':
    case 'foreign':
      return { ...entry, ...base }
    case 'memory':
      return {
        ...entry,
        ...base,
        ...(entry.supersedes === undefined ? {} : { supersedes: name(entry.supersedes) }),
        ...(entry.cut === undefined ? {} : { cut: name(entry.cut) }),
        ...(entry.since === undefined ? {} : { since: name(entry.since) }),
      }
    case 'shorten': {
      const target = name(entry.target)
      const path = parsePath(entry.path)
      return {
        ...entry,
        ...base,
        group: name(entry.group),
        target,
        path: path && 'id' in path && path.id === entry.target ? pathOf({ ...path, id: target }) : entry.path,
      }
    }
    case 'strip':
      return { ...entry, ...base, group: name(entry.group), before: entry.before === null ? null : name(entry.before) }
    case 'cut':
      return {
        ...entry,
        ...base,
        group: name(entry.group),
        before: entry.before === null ? null : name(entry.before),
        ...(entry.pin === undefined ? {} : { pin: name(entry.pin) }),
      }
    case 'summary':
      return {
        ...entry,
        ...base,
        group: name(entry.group),
        of: name(entry.of),
        covers: { first: name(entry.covers.first), last: name(entry.covers.last) },
      }
    case 'pin':
    case 'undo':
      return { ...entry, ...base, group: name(entry.group), target: name(entry.target) }
    default:
      return entry satisfies never
  }
}

/** Longest id that is taken over from a file; ids are parts of paths. */
const LONGEST_ID = 128 // UTF-16 units

/** Whether an id of a file can be used: letters, digits and a few signs, nothing that a path would read otherwise. */
export function isUsableId(id: Id): boolean {
  return id.length <= LONGEST_ID && /^[A-Za-z0-9_][A-Za-z0-9_.:@+-]*$/.test(id)
}

/**
 * The id under which something of a file is stored whose own id is taken or cannot be used. The same content gives the
 * same id, so that a second import of the file finds what the first one brought.
 */
export function derivedId(id: Id, content: string): Id {
  const base = isUsableId(id) ? id.slice(0, 100) : 'imported'
  const text = `${id}\n${content}`
  return `${base}.${termHash(text).toString(36)}${termHash(`+${text}`).toString(36)}`
}

/**
 * Whether a stored entry and one of a file are the same, parent and time included. `whole`: the stored text where it is
 * huge. One whose text was removed is the same as one that still has it, and a result that names no tool as one that
 * does.
 */
export function sameEntry(stored: Entry, imported: Entry, whole?: string): boolean {
  if (stored.gone || imported.gone)
    return stored.type === imported.type && stored.parent === imported.parent && stored.at === imported.at
  const unnamed = stored.type === 'result' && imported.type === 'result' && (stored.tool === '' || imported.tool === '')
  const [ours, theirs] = unnamed
    ? [
        { ...stored, tool: '' },
        { ...imported, tool: '' },
      ]
    : [stored, imported]
  return entryLine(ours, 0, whole === undefined ? {} : { whole }) === entryLine(theirs, 0)
}

/**
 * Results of other programs name no tool: the name is that of the call. Give it the entries of one session in order.
 */
export function toolNamer(): (entry: Entry) => Entry {
  const names = new Map<string, string>()
  return entry => {
    if (entry.type === 'assistant') for (const call of entry.calls) names.set(call.id, call.name)
    if (entry.type !== 'result' || entry.tool !== '') return entry
    const tool = names.get(entry.callId)
    return tool === undefined || tool === '' ? entry : { ...entry, tool }
  }
}
