/** What the message box knows of commands without their list. Pure. */
import type { CommandInfo } from '../../core/agent/commands/list.ts'

/** The command needs no arguments, so Enter runs it once its name is complete. */
export function standsAlone(command: CommandInfo): boolean {
  return !command.args.startsWith('<')
}

/** The title that a typed line gives to a new chat; undefined for lines that begin none. */
export function newChatOf(line: string): { title?: string } | undefined {
  const found = /^\/(?:new|新对话)(?:\s+([\s\S]*))?$/i.exec(line.trim())
  if (found === null) return undefined
  return found[1] === undefined ? {} : { title: found[1] }
}
