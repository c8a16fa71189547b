/** What a command is: a name, some text, and an answer that becomes a note. */
import type { SessionId } from '../../log/entry.ts'
import type { AgentApi, CommandReply, Language } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

export type CommandRun = {
  runtime: AgentRuntime
  tasks: SessionTasks
  /** The buttons' own functions. */
  api: AgentApi
  session: SessionId
  language: Language
  /** What was typed behind the name, without blanks around it. */
  text: string
}

/** `note` is what the person reads; `data` its numbers; `reply` what the page has to do. */
export type CommandAnswer = { note: string; data?: Record<string, unknown>; reply?: CommandReply }

/** Throws AgentError: it becomes the reply's error. */
export type Command = (run: CommandRun) => Promise<CommandAnswer>

/**
 * Name and text of a typed line, or undefined where it is no command: a name is Latin letters and underscores, or
 * Chinese characters, up to a blank or the end. Source: C11.
 */
export function parseCommand(line: string): { name: string; text: string } | undefined {
  const found = /^\/([A-Za-z_]+|\p{Script=Han}+)(?:\s([\s\S]*))?$/u.exec(line)
  return found?.[1] === undefined ? undefined : { name: found[1].toLowerCase(), text: (found[2] ?? '').trim() }
}
