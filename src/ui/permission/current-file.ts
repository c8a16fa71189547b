/** The current content of the file that a call would write. */
import type { PathText, Plan } from '../../core/agent/api/api.ts'
import { codeOf } from '../../core/errors.ts'

/**
 * null: there is none. Without `text` it is too long to be compared here; undefined: it could not be looked at, or need
 * not be.
 */
export type CurrentFile = { bytes: number; text?: string } | null | undefined

/** Never throws: a question is asked also where the file cannot be read. */
export async function readCurrentFile(
  plan: Plan | undefined,
  read: (path: string) => Promise<PathText>,
): Promise<CurrentFile> {
  if (plan?.does !== 'write') return undefined
  try {
    const { bytes, text, more } = await read(plan.path)
    return { bytes, ...(more ? {} : { text }) }
  } catch (thrown) {
    return codeOf(thrown) === 'not_found' ? null : undefined
  }
}
