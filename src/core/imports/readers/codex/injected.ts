/** What Codex writes into a chat in the name of the person. Pure. */

/** Each begins with its mark: the surroundings, instructions from files, what the person did beside the chat. */
const marks = [
  '<environment_context',
  '<user_instructions',
  '<permissions',
  '<turn_aborted',
  '<user_shell_command',
  '<user_action',
  '<skill',
  '<subagent_notification',
  '<collaboration_mode',
  '<model_switch',
  '<personality_spec',
  '<apps_instructions',
  '<INSTRUCTIONS',
  '# AGENTS.md instructions',
]

/** Whether the program wrote the text, and not the person. */
export function isInjected(text: string): boolean {
  const start = text.slice(0, 200).trimStart()
  return marks.some(mark => start.startsWith(mark))
}
