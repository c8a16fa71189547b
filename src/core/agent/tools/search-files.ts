/** The tool that looks for a regular expression in what can be read by path. */
import { AgentError } from '../../errors.ts'
import { parsePath } from '../../log/paths.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import type { Tool } from './tool.ts'
import { textArgument } from './arguments.ts'

/** Longest part of a line that is shown, UTF-16 units. */
const longestShown = 300
/** Most matches, and the time after which the search stops and says so. Units: lines; ms. */
const mostMatches = 100
const longestMs = 3_000
/**
 * As far as a line is looked at, UTF-16 units: the worst pattern takes about a tenth of a second for it (2026-11, 2
 * busy cores).
 */
const reach = 4_000
/** What is read at once, lines and bytes. */
const page = 500
const pageBytes = 1_000_000

export const searchFiles: Tool = {
  kind: 'reads',
  indexed: false,
  name: 'search_files',
  description:
    'Looks for a regular expression, line by line, in dialog/…, memory/…, MEMORY.md, workspace/… or one named path, as dialog/<chat id>/<day>.jsonl. Gives path:line and the line.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string' },
      path: {
        type: 'string',
        description: 'a path or the beginning of paths; without it workspace/, MEMORY.md and memory/',
      },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  dryRun: async (args, context) => {
    const prefix = prefixIn(args)
    const { knownPaths, dryReadPath } = await import('../archive/read-path.ts')
    const named = parsePath(prefix)
    return named === undefined || named.kind === 'workspace'
      ? knownPaths(context.archive)
      : dryReadPath(context, prefix, {})
  },
  async run(args, { archive, world, compilePattern, maxBytes, signal }) {
    const find = await compilePattern(textArgument(args, 'pattern'))
    const prefix = prefixIn(args)
    const { knownPaths, readPath } = await import('../archive/read-path.ts')
    const known = (await knownPaths(archive)).filter(path =>
      prefix === '' ? !path.startsWith('dialog/') : path.startsWith(prefix),
    )
    const paths = known.length > 0 ? known : prefix === '' ? [] : [prefix]
    const until = world.now() + longestMs
    const found: string[] = []
    const unread: string[] = [] // places of lines whose end was not looked at
    let bytes = 0
    for (const path of paths) {
      for (let line = 1, last = 1; line <= last;) {
        signal.throwIfAborted()
        const read = await readPath(archive, path, { startLine: line, endLine: line + page - 1 }, pageBytes)
        last = read.lines
        for (const [n, text] of read.text.replace(/\n$/, '').split('\n').entries()) {
          if (world.now() > until) return stopped(found, path, line + n)
          const at = find(text.slice(0, reach))
          if (at === -1) {
            if (text.length > reach) unread.push(`${path}:${line + n}`)
            continue
          }
          const from = Math.max(0, Math.min(at - 60, text.length - longestShown))
          const shown = `${path}:${line + n}: ${from > 0 ? '…' : ''}${text.slice(from, from + longestShown)}${from + longestShown < text.length ? '…' : ''}`
          bytes += utf8Bytes(shown) + 1
          if (found.length >= mostMatches || bytes > maxBytes - 200)
            return `${found.join('\n')}\n[more matches follow; name a path or a narrower pattern]`
          found.push(shown)
        }
        line = read.nextLine ?? read.to + 1 // what is left of a line that fills the page is not looked at anyway
        if (line <= last) await world.sleep(0, signal)
      }
    }
    if (paths.length === 0) throw new AgentError('not_found', 'There are no files to search yet.')
    const answer =
      found.length > 0 ? found : [`No line of ${paths.length === 1 ? paths[0] : `${paths.length} files`} matches.`]
    return [...answer, ...unreadEnds(unread)].join('\n')
  },
}

/** Nobody shall take a line for searched whose end was not looked at. */
function unreadEnds([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return []
  const which = others.length === 0 ? first : `${others.length + 1} lines, the first ${first}`
  return [`[of very long lines only the first ${reach} characters were searched: ${which}]`]
}

function prefixIn(args: Record<string, unknown>): string {
  return typeof args['path'] === 'string' ? args['path'].trim().replace(/^\.?\//, '') : ''
}

function stopped(found: readonly string[], path: string, line: number): string {
  return [...found, `[stopped after ${longestMs / 1000} s at ${path}:${line}; name a path or a narrower pattern]`].join(
    '\n',
  )
}
