/** Names for parts of the log (C9.2): what a path means, and the path of a thing. Pure. */
import { isDay } from '../text/day.ts'
import type { FactEntry, Id, SessionId } from './entry.ts'

export type FactPathKind = 'tool_result' | 'user_text' | 'answer' | 'call'

export type ArchivePath =
  | { kind: FactPathKind; id: Id }
  | { kind: 'dialog'; day: string; session?: SessionId }
  | { kind: 'memory'; day: string }
  | { kind: 'memory file' } // MEMORY.md
  | { kind: 'workspace'; path: string } // whole path, with workspace/ in front

const factKinds = { tool_result: '.txt', user_text: '.txt', answer: '.txt', call: '.json' } as const

/** Longest path that is understood, UTF-16 units. */
const LONGEST = 1_024
/** Longest part between two slashes, UTF-16 units. */
const LONGEST_PART = 255

/** The text of a path. */
export function pathOf(path: ArchivePath): string {
  switch (path.kind) {
    case 'tool_result':
    case 'user_text':
    case 'answer':
    case 'call':
      return `${path.kind}/${path.id}${factKinds[path.kind]}`
    case 'dialog':
      return path.session === undefined ? `dialog/${path.day}.jsonl` : `dialog/${path.session}/${path.day}.jsonl`
    case 'memory':
      return `memory/${path.day}.md`
    case 'memory file':
      return 'MEMORY.md'
    case 'workspace':
      return path.path
    default:
      return path satisfies never
  }
}

/**
 * What a path means; undefined for anything that is none of ours: absolute, with `.` or `..`, empty parts, backslashes,
 * control characters, lone surrogates, too long. A leading `./` is allowed. `dialogPrefix`: the configured name in
 * place of `dialog`. Never throws.
 */
export function parsePath(text: string, dialogPrefix = 'dialog'): ArchivePath | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const clean = text.startsWith('./') ? text.slice(2) : text
  if (clean === '' || hasBroken(clean) || clean.includes('\\')) return undefined
  const parts = clean.split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..' || part.length > LONGEST_PART)) return undefined
  const [first = '', second = ''] = parts
  if (clean === 'MEMORY.md') return { kind: 'memory file' }
  if (first === 'workspace') return parts.length >= 2 ? { kind: 'workspace', path: clean } : undefined
  if (clean.startsWith(`${dialogPrefix}/`)) return dialogPath(clean.slice(dialogPrefix.length + 1).split('/'))
  if (parts.length !== 2) return undefined
  if (first === 'memory') {
    const day = stem(second, '.md')
    return day !== undefined && isDay(day) ? { kind: 'memory', day } : undefined
  }
  if (!isFactKind(first)) return undefined
  const id = stem(second, factKinds[first])
  return id === undefined ? undefined : { kind: first, id }
}

/**
 * The whole text that a path of a fact names, of an entry that holds it whole; undefined where the path is not that
 * fact's.
 */
export function textAtPath(fact: FactEntry, kind: FactPathKind): string | undefined {
  switch (kind) {
    case 'tool_result':
      return fact.type === 'result' ? fact.text : undefined
    case 'user_text':
      return fact.type === 'user' ? fact.text : undefined
    case 'answer':
      return fact.type === 'assistant' ? fact.text : undefined
    case 'call':
      return fact.type === 'assistant' ? callsText(fact) : undefined
    default:
      return kind satisfies never
  }
}

/** One call a line, in a JSON array: the arguments stay the very text that the model wrote. */
function callsText(fact: FactEntry & { type: 'assistant' }): string {
  return `[\n${fact.calls.map(({ id, name, arguments: text }) => JSON.stringify({ id, name, arguments: text })).join(',\n')}\n]\n`
}

function isFactKind(text: string): text is FactPathKind {
  return Object.hasOwn(factKinds, text)
}

function dialogPath(parts: string[]): ArchivePath | undefined {
  const day = stem(parts.at(-1) ?? '', '.jsonl')
  if (day === undefined || !isDay(day)) return undefined
  if (parts.length === 1) return { kind: 'dialog', day }
  const session = parts[0]
  return parts.length === 2 && session !== undefined ? { kind: 'dialog', day, session } : undefined
}

function stem(name: string, ending: string): string | undefined {
  return name.length > ending.length && name.endsWith(ending) ? name.slice(0, -ending.length) : undefined
}

/** Control characters, and surrogates without their partner. */
function hasBroken(text: string): boolean {
  for (const letter of text) {
    const point = letter.codePointAt(0) ?? 0
    if (point < 0x20 || point === 0x7f || (point >= 0xd800 && point <= 0xdfff)) return true
  }
  return false
}
