/** The person's own prompts: files below workspace/prompts/, each offered in the message box as `/name`. */
import type { AgentApi } from '../../core/agent/api/api.ts'

export type Prompt = { name: string; path: string; text: string; revision: number }

const folder = 'workspace/prompts/'
const ending = '.md'

/** Where a prompt of this name lies. */
export function promptPath(name: string): string {
  return `${folder}${name}${ending}`
}

/** Whether a prompt may have this name: letters, digits, `-` and `_` of any script, at most 40. */
export function isPromptName(name: string): boolean {
  return /^[\p{L}\p{M}\p{N}_-]{1,40}$/u.test(name)
}

/**
 * All that hold a text, by name. Files whose names nobody could type behind a slash are left out, and those that are
 * read in parts only: an edit would lose the rest.
 */
export async function listPrompts(api: Pick<AgentApi, 'documents' | 'readPath'>): Promise<Prompt[]> {
  const files = (await api.documents()).flatMap(({ path, revision }) => {
    const name = path.startsWith(folder) && path.endsWith(ending) ? path.slice(folder.length, -ending.length) : ''
    return isPromptName(name) ? [{ name, path, revision }] : []
  })
  const prompts = await Promise.all(
    files.map(async file => {
      const { text, more } = await api.readPath(file.path)
      return { ...file, text: more ? '' : text.trim() }
    }),
  )
  return prompts.filter(({ text }) => text !== '').sort((a, b) => a.name.localeCompare(b.name))
}
