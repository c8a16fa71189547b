/** The table of commands, by name. */
import { compactCommand, exportCommand, newChatCommand, redoCommand, stopCommand, undoCommand } from './changes.ts'
import type { Command } from './command.ts'
import { clearContextCommand, contextCommand, historyCommand, summaryCommand } from './context.ts'
import { helpCommand } from './help.ts'
import { commandList, namesOf, type CommandName } from './list.ts'
import { memoryCommand, searchCommand } from './memory.ts'
import { configCommand, modelCommand, strategyCommand } from './settings.ts'

const runs: Record<CommandName, Command> = {
  help: helpCommand,
  context: contextCommand,
  clear: clearContextCommand,
  compact: compactCommand,
  undo: undoCommand,
  redo: redoCommand,
  config: configCommand,
  strategy: strategyCommand,
  model: modelCommand,
  summary: summaryCommand,
  history: historyCommand,
  search: searchCommand,
  memory: memoryCommand,
  new: newChatCommand,
  export: exportCommand,
  stop: stopCommand,
}

/** What runs for a name, also for a second one that the list gives it. */
export const commands: ReadonlyMap<string, Command> = new Map(
  commandList.flatMap(command => namesOf(command).map(one => [one, runs[command.name]] as const)),
)
