/** Exports and imports as the page makes them, page by page. */
import type { TestAgent } from '../agent.fixture.ts'
import type { ExportOptions, ExportScope, ImportReport } from '../api/transfer-api.ts'

/** All lines of an export; `between` is called after each page, with their number so far. */
export async function exportLinesOf(
  b: Pick<TestAgent, 'agent'>,
  what: ExportScope = { kind: 'all' },
  options: ExportOptions & { between?: (lines: number) => Promise<void> } = {},
): Promise<string[]> {
  const { between, ...rest } = options
  const lines: string[] = []
  let cursor: string | undefined
  do {
    const page = await b.agent.exportLines(what, cursor, rest)
    if (page.lines.length > 500) throw new Error(`a page of ${page.lines.length} lines`)
    lines.push(...page.lines)
    cursor = page.next
    await between?.(lines.length)
  } while (cursor !== undefined)
  return lines
}

/** What an import of these lines reports; `documents`: only these of the file are taken. */
export async function importLinesInto(
  b: Pick<TestAgent, 'agent'>,
  lines: readonly string[],
  { asCopy = false, documents, atOnce = 300 }: { asCopy?: boolean; documents?: string[]; atOnce?: number } = {},
): Promise<ImportReport> {
  const handle = await b.agent.importStart({ asCopy, ...(documents ? { documents } : {}) })
  for (let from = 0; from < lines.length; from += atOnce)
    await b.agent.importLines(handle, lines.slice(from, from + atOnce))
  return b.agent.importEnd(handle)
}
