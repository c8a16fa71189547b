/** The table of commands, by name. */
import { compact, exportChat, newChat, redo, stop, undo } from './changes.ts'
import type { Command } from './command.ts'
import { clearContext, context, history, summary } from './context.ts'
import { help } from './help.ts'
import { memory, search } from './memory.ts'
import { config, model, strategy } from './settings.ts'

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['help', help],
  ['context', context],
  ['clear', clearContext],
  ['compact', compact],
  ['undo', undo],
  ['redo', redo],
  ['config', config],
  ['strategy', strategy],
  ['model', model],
  ['summary', summary],
  ['compact_str', summary],
  ['history', history],
  ['search', search],
  ['memory', memory],
  ['new', newChat],
  ['export', exportChat],
  ['dump_history', exportChat],
  ['stop', stop],
])
