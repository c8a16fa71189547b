/** The list of models in all the shapes that servers give it. Pure. */
import { parsedJson } from '../../core/text/json.ts'

export type ListedModel = { id: string; row: Readonly<Record<string, unknown>> }

/** The models of a parsed answer, each once; undefined where it is no list of models. */
export function modelsIn(value: unknown): ListedModel[] | undefined {
  const rows = rowsOf(value)
  if (!rows) return undefined
  const models: ListedModel[] = []
  for (const row of rows) {
    const id = [row['id'], row['model'], row['name']].find(name => typeof name === 'string' && name !== '')
    if (typeof id === 'string' && !models.some(model => model.id === id)) models.push({ id, row })
  }
  return models
}

/** True where a body is a list of models. Never throws. */
export function isModelList(body: string): boolean {
  return modelsIn(parsedJson(body)) !== undefined
}

/** The names in a body that is such a list. Never throws. */
export function namesIn(body: string): string[] {
  return modelsIn(parsedJson(body))?.map(model => model.id) ?? []
}

function rowsOf(value: unknown): Record<string, unknown>[] | undefined {
  const list = Array.isArray(value)
    ? value
    : typeof value === 'object' && value !== null
      ? ((value as Record<string, unknown>)['data'] ?? (value as Record<string, unknown>)['models'])
      : undefined
  return Array.isArray(list)
    ? list.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null)
    : undefined
}
