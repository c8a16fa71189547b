/** The tool that replaces a part of a file of the workspace, found by its exact text. */
import { AgentError } from '../../errors.ts'
import type { ArchiveDocument } from '../../ports/ports.ts'
import { newlines } from '../../text/bytes.ts'
import { nearest } from '../../text/nearest.ts'
import type { Plan } from '../api/api.ts'
import type { Tool, ToolContext } from './tool.ts'
import { textArgument } from './arguments.ts'
import { workspacePath } from './workspace.ts'

export const editFile: Tool = {
  kind: 'acts',
  indexed: true,
  name: 'edit_file',
  writes: true,
  description:
    'Changes a part of a file below workspace/: old_text must occur in it exactly once, with the same blanks and line breaks; it is replaced by new_text.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, old_text: { type: 'string' }, new_text: { type: 'string' } },
    required: ['path', 'old_text', 'new_text'],
    additionalProperties: false,
  },
  plan,
  async check(args, { archive }) {
    await placeOf(plan(args), archive)
  },
  async run(args, { archive, world }) {
    const { path, before, after } = plan(args)
    const { document, at } = await placeOf({ path, before }, archive)
    const text = document.text.slice(0, at) + after + document.text.slice(at + before.length)
    const revision = await archive.saveDocument(path, text, world.now(), document.revision)
    return `${path} was changed at line ${newlines(text.slice(0, at)) + 1}; revision ${revision}.`
  },
}

function plan(args: Record<string, unknown>): Plan & { does: 'change' } {
  const path = workspacePath(textArgument(args, 'path'))
  const [before, after] = [textArgument(args, 'old_text'), textArgument(args, 'new_text')]
  if (before === '') throw new AgentError('bad_input', 'old_text is empty; use write_file to write a whole file.')
  return { does: 'change', path, before, after }
}

/** Where in the file the text stands; throws where it does not, or more than once. */
async function placeOf(
  { path, before }: { path: string; before: string },
  archive: Pick<ToolContext['archive'], 'document' | 'documents'>,
): Promise<{ document: ArchiveDocument; at: number }> {
  const document = await archive.document(path)
  if (!document) {
    const near = nearest(
      path,
      (await archive.documents('workspace/')).map(({ path }) => path),
    )
    throw new AgentError(
      'not_found',
      `There is no ${path}.${near.length > 0 ? ` Nearest: ${near.join(', ')}` : ' Use write_file to create it.'}`,
    )
  }
  const at = document.text.indexOf(before)
  if (at < 0)
    throw new AgentError(
      'bad_input',
      `old_text does not occur in ${path}${looseHint(document.text, before)}. Read the file and copy the text exactly.`,
    )
  if (document.text.includes(before, at + 1)) {
    throw new AgentError(
      'bad_input',
      `old_text occurs more than once in ${path}. Give more of the text around it, so that it occurs once.`,
    )
  }
  return { document, at }
}

/** Says so when only blanks differ: the most frequent reason. */
function looseHint(text: string, wanted: string): string {
  const loose = (part: string): string => part.replace(/\s+/g, ' ').trim()
  return loose(text).includes(loose(wanted)) ? ' (only its blanks or line breaks differ)' : ''
}
