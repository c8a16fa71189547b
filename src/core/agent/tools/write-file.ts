/** The tool that writes a whole file of the workspace. Every revision is kept. */
import { utf8Bytes } from '../../text/bytes.ts'
import type { Plan } from '../api/api.ts'
import type { Tool } from './tool.ts'
import { textArgument } from './arguments.ts'
import { workspacePath } from './workspace.ts'

export const writeFile: Tool = {
  kind: 'acts',
  indexed: true,
  name: 'write_file',
  writes: true,
  description:
    'Writes a whole file below workspace/. What stood there before stays readable as an older revision. To change a part of a file use edit_file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'below workspace/' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  plan,
  async run(args, { archive, world }) {
    const { path, content } = plan(args)
    const before = (await archive.document(path))?.revision ?? 0
    const revision = await archive.saveDocument(path, content, world.now(), before)
    return `${path} ${before === 0 ? 'was created' : 'was written'}: ${utf8Bytes(content)} bytes, revision ${revision}.`
  },
}

function plan(args: Record<string, unknown>): Plan & { does: 'write' } {
  return { does: 'write', path: workspacePath(textArgument(args, 'path')), content: textArgument(args, 'content') }
}
