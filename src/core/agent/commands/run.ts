/** Use case: a typed line that begins with a slash. It answers with a note, or with what is wrong. */
import { AgentError, codeOf } from '../../errors.ts'
import type { SessionId } from '../../log/entry.ts'
import { nearest } from '../../text/nearest.ts'
import type { AgentApi, CommandReply } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'
import { parseCommand } from './command.ts'
import { commands } from './index.ts'
import { commandTexts } from './command-texts.ts'

/** Runs a line. What a command throws comes back as `error`; an unknown one can be sent as text instead. */
export async function runCommand(
  runtime: AgentRuntime,
  tasks: SessionTasks,
  api: AgentApi,
  id: SessionId,
  line: string,
): Promise<CommandReply> {
  const texts = commandTexts[runtime.language]
  const parsed = parseCommand(line)
  if (!parsed) return { error: { code: 'bad_input', message: texts.noCommand, sendAsText: line } }
  const command = commands.get(parsed.name)
  if (!command) {
    const near = nearest(parsed.name, commands.keys())
    return { error: { code: 'not_found', message: texts.unknown(parsed.name, near), sendAsText: line } }
  }
  try {
    const {
      note,
      data,
      reply = {},
    } = await command({ runtime, tasks, api, session: id, language: runtime.language, text: parsed.text })
    await tasks.withSession(id, session =>
      session.append([{ type: 'note', code: 'command', text: note, data: { command: parsed.name, ...data } }]),
    )
    return reply
  } catch (thrown) {
    if (!(thrown instanceof AgentError)) throw thrown
    return { error: { code: codeOf(thrown), message: thrown.message } }
  }
}
