/** The tool that reads the archive, notes and files by path (C9.3). */
import type { Tool } from '../tool.ts'
import { leadsOut, numberOf, textOf } from './arguments.ts'
import { readWords } from './read-words.ts'

export const readFile: Tool = {
  kind: 'reads',
  name: 'read_file',
  rereadable: true,
  description: 'Reads a part of a stored text: dialog/<day>.jsonl, tool_result/<id>.txt, user_text/<id>.txt, answer/<id>.txt, call/<id>.json, memory/<day>.md, MEMORY.md, workspace/…. Give a range of lines, or start_byte to read on inside a long line.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      start_line: { type: 'integer', description: 'first line, 1-based' },
      end_line: { type: 'integer', description: 'last line, inclusive' },
      start_byte: { type: 'integer', description: 'first byte, 0-based, instead of lines' },
      max_bytes: { type: 'integer' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  reaches: leadsOut,
  async run(args, { archive, maxBytes }) {
    const { readPath } = await import('../read-path.ts') // loaded when it is first used, with the export format
    const startLine = numberOf(args, 'start_line')
    const endLine = numberOf(args, 'end_line')
    const startByte = numberOf(args, 'start_byte')
    const most = numberOf(args, 'max_bytes')
    const read = await readPath(archive, textOf(args, 'path'), {
      ...(startLine === undefined ? {} : { startLine }), ...(endLine === undefined ? {} : { endLine }),
      ...(startByte === undefined ? {} : { startByte }), ...(most === undefined ? {} : { maxBytes: most }),
    }, maxBytes)
    return readWords(read)
  },
}
