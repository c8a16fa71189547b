/** Which commands the message box offers for what is typed. Pure. */
import { commandList, type CommandInfo } from '../../core/agent/commands/list.ts'

/** Those that begin with what was typed, then those that hold it. */
export function matchingCommands(start: string): readonly CommandInfo[] {
  const begins = commandList.filter(({ name }) => name.startsWith(start))
  return [
    ...begins,
    ...commandList.filter(({ name }) => !name.startsWith(start) && start !== '' && name.includes(start)),
  ]
}

/** The command needs no arguments, so Enter runs it once its name is complete. */
export function standsAlone(command: CommandInfo): boolean {
  return !command.args.startsWith('<')
}

/** The title that a typed line gives to a new chat; undefined for lines that begin none. */
export function newChatOf(line: string): { title?: string } | undefined {
  const found = /^\/new(?:\s+([\s\S]*))?$/i.exec(line.trim())
  if (found === null) return undefined
  return found[1] === undefined ? {} : { title: found[1] }
}
