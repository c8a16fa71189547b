/** The tool that reads memory by path: notes of a day, MEMORY.md, or any place that a search gave. */
import type { Tool } from '../tool.ts'
import { leadsOut, numberOf, textOf } from './arguments.ts'
import { readWords } from './read-words.ts'

export const memoryGet: Tool = {
  kind: 'reads',
  name: 'memory_get',
  rereadable: true,
  description: 'Reads lines of MEMORY.md, memory/<day>.md or any path that memory_search gave, with its line numbers.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, start_line: { type: 'integer' }, end_line: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
  reaches: leadsOut,
  async run(args, { archive, maxBytes }) {
    const { readPath } = await import('../read-path.ts')
    const startLine = numberOf(args, 'start_line')
    const endLine = numberOf(args, 'end_line')
    // "2026-01-31" and "2026-01-31.md" plainly mean the notes of that day.
    const path = textOf(args, 'path').trim().replace(/^(\d{4}-\d\d-\d\d)(?:\.md)?$/, 'memory/$1.md')
    return readWords(await readPath(archive, path, { ...(startLine === undefined ? {} : { startLine }), ...(endLine === undefined ? {} : { endLine }) }, maxBytes))
  },
}
