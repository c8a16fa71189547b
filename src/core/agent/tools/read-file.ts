/** The tool that reads the archive, notes and files by path (C9.3). */
import type { ReadRange } from '../api/api.ts'
import type { Tool } from './tool.ts'
import { numberArgument, textArgument } from './arguments.ts'
import { readResultText } from './read-result-texts.ts'

export const readFile: Tool = {
  kind: 'reads',
  indexed: false,
  name: 'read_file',
  rereadable: true,
  inSmallWindows: {
    description: 'Reads lines of a stored text.',
    keys: ['path', 'start_line', 'end_line'],
  },
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
  dryRun: async (args, context) =>
    (await import('../archive/read-path.ts')).dryReadPath(context, textArgument(args, 'path'), rangeIn(args)),
  run: async (args, { archive, maxBytes }) => {
    const { readPath } = await import('../archive/read-path.ts') // loaded when it is first used, with the export format
    const path = textArgument(args, 'path').trim().replace(/^\.\//, '')
    const read = await readPath(archive, path, rangeIn(args), maxBytes)
    // After travel a day may be kept under another date than a hint names.
    return read.path === path
      ? readResultText(read)
      : `[Nothing is kept under ${path}. This is ${read.path}.]\n${readResultText(read)}`
  },
}

function rangeIn(args: Record<string, unknown>): ReadRange {
  return {
    startLine: numberArgument(args, 'start_line'),
    endLine: numberArgument(args, 'end_line'),
    startByte: numberArgument(args, 'start_byte'),
    maxBytes: numberArgument(args, 'max_bytes'),
  }
}
