/** The table of commands, by name. */
import { compactCommand, exportCommand, newChatCommand, redoCommand, stopCommand, undoCommand } from './changes.ts'
import type { Command } from './command.ts'
import { clearContextCommand, contextCommand, historyCommand, summaryCommand } from './context.ts'
import { helpCommand } from './help.ts'
import { memoryCommand, searchCommand } from './memory.ts'
import { configCommand, modelCommand, strategyCommand } from './settings.ts'

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['help', helpCommand],
  ['context', contextCommand],
  ['clear', clearContextCommand],
  ['compact', compactCommand],
  ['undo', undoCommand],
  ['redo', redoCommand],
  ['config', configCommand],
  ['strategy', strategyCommand],
  ['model', modelCommand],
  ['summary', summaryCommand],
  ['compact_str', summaryCommand],
  ['history', historyCommand],
  ['search', searchCommand],
  ['memory', memoryCommand],
  ['new', newChatCommand],
  ['export', exportCommand],
  ['dump_history', exportCommand],
  ['stop', stopCommand],
])
