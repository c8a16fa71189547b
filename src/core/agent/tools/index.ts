/** All tools, in the order in which they are sent to the model. */
import type { Config } from '../../context/config/config.ts'
import type { Tool } from './tool.ts'
import { compactTool } from './compact.ts'
import { editFile } from './edit-file.ts'
import { fetchUrl } from './fetch-url.ts'
import { getTime } from './get-time.ts'
import { listFiles } from './list-files.ts'
import { memoryGet } from './memory-get.ts'
import { memorySearch } from './memory-search.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { writeFile } from './write-file.ts'

export const tools: readonly Tool[] = [
  readFile,
  listFiles,
  searchFiles,
  memorySearch,
  memoryGet,
  writeFile,
  editFile,
  fetchUrl,
  getTime,
  compactTool,
]

/** The tools that a chat with these settings offers to its model, in order. */
export function offeredTools(config: Config): readonly Tool[] {
  return tools.filter(({ needs }) => needs === undefined || config[needs])
}

/** Tools whose results always say how to read on (C5.1). */
export const toolsWithReadOnLine = namesOf(tool => tool.hasReadOnLine === true)

/** Tools whose text can be read again by the same call (C5.1). */
export const rereadableTools = namesOf(tool => tool.rereadable === true)

/** Tools whose results no search finds. */
export const unindexedTools = namesOf(tool => !tool.indexed)

function namesOf(has: (tool: Tool) => boolean): ReadonlySet<string> {
  return new Set(tools.filter(has).map(({ name }) => name))
}
