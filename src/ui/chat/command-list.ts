/** The commands as the message box offers them (C11). Data only. */

/** `takes`: what may follow, as a placeholder; `alone`: it makes sense without, so Enter runs it. */
export type Offered = { name: string; takes?: string; alone: boolean; help: string }

/** `help` names the text in `words().chat.commandHelp`. */
export const commandList: readonly Offered[] = [
  { name: 'compact', takes: '…', alone: true, help: 'compact' },
  { name: 'context', alone: true, help: 'context' },
  { name: 'clear', alone: true, help: 'clear' },
  { name: 'undo', alone: true, help: 'undo' },
  { name: 'redo', alone: true, help: 'redo' },
  { name: 'summary', alone: true, help: 'summary' },
  { name: 'history', takes: 'n', alone: true, help: 'history' },
  { name: 'config', takes: 'key value', alone: true, help: 'config' },
  { name: 'strategy', takes: '…', alone: true, help: 'strategy' },
  { name: 'model', takes: '…', alone: true, help: 'model' },
  { name: 'search', takes: '…', alone: false, help: 'search' },
  { name: 'memory', takes: '…', alone: true, help: 'memory' },
  { name: 'new', takes: '…', alone: true, help: 'new' },
  { name: 'export', takes: 'session | day | all', alone: true, help: 'export' },
  { name: 'stop', alone: true, help: 'stop' },
  { name: 'help', alone: true, help: 'help' },
]

/** Those that begin with what was typed, then those that hold it. */
export function offered(start: string): readonly Offered[] {
  const begins = commandList.filter(({ name }) => name.startsWith(start))
  return [...begins, ...commandList.filter(({ name }) => !name.startsWith(start) && start !== '' && name.includes(start))]
}
