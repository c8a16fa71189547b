/** Notes merged into the text of MEMORY.md without a model. Pure. */
import { itemsOf, parseSections } from '../../context/summary/sections.ts'
import { clip } from '../../text/display/graphemes.ts'
import type { Language } from '../api/api.ts'
import type { MemoryNote, MemorySource } from '../api/memory-api.ts'

/** `sources`: of each line that is new. */
export type Merged = { text: string; sources: Map<string, MemorySource[]> }

/** Longest item that is taken over; what is longer can be read in its note. Unit: UTF-16 units. */
const longestItem = 400

/**
 * Takes over what the notes say and the text does not, with its day, in order of time, at the end: the end is what a
 * small window shows. A line that a newer one repeats with more, or under the same name ("Budget: 300"), gives way to
 * it where it stands. Nothing else is changed. Never throws.
 */
export function mergeByRule(memory: string, notes: readonly MemoryNote[], language: Language): Merged {
  const lines = memory.trimEnd() === '' ? [] : memory.trimEnd().split('\n')
  const sources = new Map<string, MemorySource[]>()
  for (const note of notes) {
    for (const item of durableItems(note.text)) {
      const line = `- ${item} (${note.day})`
      const at = placeOf(lines, item)
      if (at === 'known') continue
      const before = at === undefined ? undefined : lines[at]
      if (before !== undefined) sources.delete(before)
      if (at === undefined) lines.push(line)
      else lines[at] = line
      const { session, title, entry, day } = note
      sources.set(line, [{ session, title, entry, day }])
    }
  }
  if (sources.size === 0) return { text: memory, sources }
  const head = memory.trim() === '' ? [language === 'zh' ? '# 记忆' : '# Memory', ''] : []
  return { text: `${[...head, ...lines].join('\n')}\n`, sources }
}

/** Of a summary its rules, wishes and decisions, because its tasks and steps pass; of any other note every line. */
export function durableItems(text: string): string[] {
  const { found } = parseSections(text)
  const bodies =
    found.size >= 2 ? [found.get('Constraints & Preferences') ?? '', found.get('Key Decisions') ?? ''] : [text]
  return bodies.flatMap(itemsOf).map(item => (item.length <= longestItem ? item : `${clip(item, longestItem)}…`))
}

/** The line that the item repeats or replaces; `known` if it says nothing new. */
function placeOf(lines: readonly string[], item: string): number | 'known' | undefined {
  const said = comparableLine(item)
  const subject = subjectOf(item)
  let place: number | undefined
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('#')) continue
    const known = comparableLine(line)
    if (known === '') continue
    if (known.includes(said)) return 'known'
    if (said.includes(known) && known.length >= said.length / 3) place = at
    if (subject !== undefined && subject === subjectOf(line)) place = at
  }
  return place
}

/** A line as it is compared: without bullet, day, case, marks and final stop. */
export function comparableLine(line: string): string {
  return plain(line)
    .toLowerCase()
    .replace(/[*_`]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[.。!！;；,，\s]+$/u, '')
}

function plain(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, '')
    .replace(/\s*[(（]\d{4}-\d\d-\d\d[)）]\s*$/, '')
}

/** The name in front of a value ("Budget: 300", "预算：300"); an address or a time of day is none. */
function subjectOf(line: string): string | undefined {
  const name = /^\*{0,2}([^:：]{2,40}?)\*{0,2}(?::\s|：)\*{0,2}\s*\S/u.exec(plain(line))?.[1]
  return name !== undefined && /\p{L}/u.test(name) && name.split(/\s+/).length <= 5
    ? name.trim().toLowerCase()
    : undefined
}
