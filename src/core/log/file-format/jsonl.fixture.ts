/** A log as lines, and lines as a log. */
import { expect } from 'vitest'
import { entryLine, parseLine } from './jsonl.ts'
import type { Entry, Log } from '../entry.ts'

export const linesOf = (log: Log): string[] => log.map((entry, seq) => entryLine(entry, seq) ?? 'left out')

export function logOfLines(lines: readonly string[]): Entry[] {
  return lines.map(line => {
    const parsed = parseLine(line, { ours: true })
    if (parsed.kind !== 'entry') throw new Error(`${line}: ${JSON.stringify(parsed)}`)
    expect(parsed.extras).toEqual([])
    return {
      ...parsed.entry,
      id: parsed.id ?? '',
      parent: parsed.parent ?? null,
      at: parsed.at ?? 0,
      ...(parsed.gone ? { gone: parsed.gone } : {}),
    }
  })
}
