/** Which commands the message box offers for what is typed. Loaded with the first slash. Pure. */
import { commandList, type CommandInfo } from '../../core/agent/commands/list.ts'

/** Those that begin with what was typed, then those that hold it. */
export function matchingCommands(start: string): readonly CommandInfo[] {
  const begins = commandList.filter(({ name }) => name.startsWith(start))
  return [
    ...begins,
    ...commandList.filter(({ name }) => !name.startsWith(start) && start !== '' && name.includes(start)),
  ]
}
