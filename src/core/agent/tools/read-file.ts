/** The tool that reads the archive, notes and files by path (C9.3). */
import type { Range } from '../api/api.ts'
import type { Tool } from './tool.ts'
import { numberOf, textOf } from './arguments.ts'
import { readWords } from './read-result-texts.ts'

export const readFile: Tool = {
  kind: 'reads',
  name: 'read_file',
  rereadable: true,
  description:
    'Reads a part of a stored text: dialog/<day>.jsonl, dialog/<chat id>/<day>.jsonl (one chat alone), tool_result/<id>.txt, user_text/<id>.txt, answer/<id>.txt, call/<id>.json, memory/<day>.md, MEMORY.md, workspace/…. Give a range of lines, or start_byte to read on inside a long line.',
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
  look: async (args, context) =>
    (await import('../archive/read-path.ts')).lookAt(context, textOf(args, 'path'), rangeIn(args)),
  run: async (args, { archive, maxBytes }) => {
    const { readPath } = await import('../archive/read-path.ts') // loaded when it is first used, with the export format
    const path = textOf(args, 'path').trim().replace(/^\.\//, '')
    const read = await readPath(archive, path, rangeIn(args), maxBytes)
    // After travel a day may be kept under another date than a hint names.
    return read.path === path
      ? readWords(read)
      : `[Nothing is kept under ${path}. This is ${read.path}.]\n${readWords(read)}`
  },
}

function rangeIn(args: Record<string, unknown>): Range {
  return {
    startLine: numberOf(args, 'start_line'),
    endLine: numberOf(args, 'end_line'),
    startByte: numberOf(args, 'start_byte'),
    maxBytes: numberOf(args, 'max_bytes'),
  }
}
