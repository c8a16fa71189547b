/** The tool that lists what can be read by path. */
import { prefixLength } from '../../text/bytes.ts'
import { nearest } from '../../text/nearest.ts'
import type { Tool } from './tool.ts'

export const listFiles: Tool = {
  kind: 'reads',
  indexed: false,
  name: 'list_files',
  description:
    'Lists stored files: workspace/…, MEMORY.md, memory/<day>.md and dialog/<day>.jsonl, optionally only those whose path begins with a prefix.',
  parameters: {
    type: 'object',
    properties: { prefix: { type: 'string', description: 'for example workspace/' } },
    additionalProperties: false,
  },
  // Names and days of other chats are theirs too.
  dryRun: async (_, { archive }) => (await import('../archive/read-path.ts')).knownPaths(archive),
  async run(args, { archive, maxBytes }) {
    const { knownPaths } = await import('../archive/read-path.ts')
    const prefix = typeof args['prefix'] === 'string' ? args['prefix'].trim().replace(/^\.?\//, '') : ''
    const sizes = new Map(
      (await archive.documents()).map(({ path, bytes, revision }) => [path, `${bytes} bytes, revision ${revision}`]),
    )
    const known = await knownPaths(archive)
    const lines = known
      .filter(path => path.startsWith(prefix))
      // No number of lines for dialogs: it grows with each call, and the same call would never give the same again.
      .map(path => [path, sizes.get(path)].filter(part => part !== undefined).join('  '))
    if (lines.length === 0) {
      const near = nearest(prefix, known)
      return prefix === ''
        ? 'There are no files yet.'
        : `There are no files whose path begins with "${prefix}".${near.length > 0 ? ` Nearest: ${near.join(', ')}` : ''}`
    }
    const text = lines.join('\n')
    const cut = prefixLength(text, maxBytes, 'bytes')
    return cut === text.length
      ? text
      : `${text.slice(0, text.lastIndexOf('\n', cut))}\n[${lines.length} files in all; give a prefix to see the others]`
  },
}
