/** Whose words stand in a row of a user: the person's, or the program's in the person's name. Pure. */

/** What the program writes itself begins with one of these. */
const marks = [
  '<local-command-',
  '<bash-stdout',
  '<bash-stderr',
  '<system-reminder',
  '<task-notification',
  '<task-reminder',
  '<teammate-message',
  '<tick>',
  '<ide_',
  '<user-prompt-submit-hook',
  '<new-diagnostics',
  '[Request interrupted by user',
  'Caveat: The messages below were generated',
]

/** Whether the program wrote the text by itself, with no words of the person in it. */
export function isProgramText(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return marks.some(mark => start.startsWith(mark))
}

/** A command, as the program writes down that the person typed one. */
export type TypedCommand = { name: string; args: string }

/** The command that a text tells of; undefined where it tells of none. */
export function typedCommand(text: string): TypedCommand | undefined {
  if (!/^\s*<command-(?:name|message)>/.test(text)) return undefined
  const name = between(text, '<command-name>', '</command-name>').trim()
  return { name, args: between(text, '<command-args>', '</command-args>').trim() }
}

/** The person's own words: commands as they were typed. Empty for the program's. */
export function personsWords(text: string): string {
  if (isProgramText(text)) return ''
  const command = typedCommand(text)
  if (command) return `${command.name} ${command.args}`.trim()
  if (/^\s*<bash-input>/.test(text)) return `! ${between(text, '<bash-input>', '</bash-input>').trim()}`
  return text
}

function between(text: string, begin: string, end: string): string {
  const from = text.indexOf(begin)
  if (from === -1) return ''
  const to = text.indexOf(end, from)
  return text.slice(from + begin.length, to === -1 ? text.length : to)
}
