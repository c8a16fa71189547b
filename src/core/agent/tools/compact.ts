/** The tool by which the agent asks for a compaction itself (C5.8). */
import { AgentError } from '../../errors.ts'
import type { Tool } from './tool.ts'
import { textArgument } from './arguments.ts'

export const compactTool: Tool = {
  kind: 'reads', // It changes only the view, which the person can take back: nothing is to be asked.
  needs: 'compact_tool',
  indexed: false,
  dryRun: 'reads nothing stored',
  name: 'compact',
  description:
    'Replaces all of this conversation but the newest step by a summary. Call it where one task is done and the next one begins. Nothing is lost: the summary names where it can be read.',
  parameters: {
    type: 'object',
    properties: {
      keep: { type: 'string', description: 'what the next steps need most, in a few words' },
    },
    additionalProperties: false,
  },
  async run(args, { compact }) {
    const keep = args['keep'] === undefined || args['keep'] === null ? '' : textArgument(args, 'keep')
    if (!compact) throw new AgentError('bad_input', 'There is no conversation to compact here.')
    return compact(keep)
  },
}
