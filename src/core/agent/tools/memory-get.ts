/** The tool that reads memory by path: notes of a day, MEMORY.md, or any place that a search gave. */
import type { ReadRange } from '../api/api.ts'
import type { Tool } from './tool.ts'
import { numberArgument, textArgument } from './arguments.ts'
import { readResultText } from './read-result-texts.ts'

export const memoryGet: Tool = {
  kind: 'reads',
  indexed: false,
  name: 'memory_get',
  rereadable: true,
  description: 'Reads lines of MEMORY.md, memory/<day>.md or any path that memory_search gave, with its line numbers.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, start_line: { type: 'integer' }, end_line: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
  dryRun: async (args, context) =>
    (await import('../archive/read-path.ts')).dryReadPath(context, pathIn(args), rangeIn(args)),
  run: async (args, { archive, maxBytes }) => {
    const { readPath } = await import('../archive/read-path.ts') // loaded when it is first used, with the export format
    return readResultText(await readPath(archive, pathIn(args), rangeIn(args), maxBytes))
  },
}

/** "2026-01-31" and "2026-01-31.md" plainly mean the notes of that day. */
function pathIn(args: Record<string, unknown>): string {
  return textArgument(args, 'path')
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)(?:\.md)?$/, 'memory/$1.md')
}

function rangeIn(args: Record<string, unknown>): ReadRange {
  return { startLine: numberArgument(args, 'start_line'), endLine: numberArgument(args, 'end_line') }
}
