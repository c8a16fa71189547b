/** Which paths tools may write: workspace/… and nothing else. */
import { AgentError } from '../../errors.ts'
import { parsePath } from '../../log/paths.ts'

/** The path as it is stored; throws `bad_input` for anything outside of workspace/. */
export function workspacePath(text: string): string {
  const parsed = parsePath(text.trim())
  if (parsed?.kind === 'workspace') return parsed.path
  throw new AgentError(
    'bad_input',
    `Files can be written only below workspace/, with a plain path such as workspace/notes.md; "${text.slice(0, 200)}" is none.`,
  )
}
