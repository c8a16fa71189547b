/** Which models fit what is typed, and how they stand in a list. Pure. */
import type { ModelInfo } from '../../core/ports/ports.ts'

/** A row of the list: where the models below it run, or a model. `at`: its place among the models. */
export type ModelRow = { type: 'place'; id: string; name: string } | { type: 'model'; model: ModelInfo; at: number }

/**
 * The models that have every word of the query in their name or that of their server, punctuation aside. Those whose
 * name begins with the query come first, then those that have it in one piece, then those with a word that begins like
 * it; otherwise the order stays.
 */
export function matchingModels(models: readonly ModelInfo[], query: string, device: string): readonly ModelInfo[] {
  const words = query.toLowerCase().split(/\s+/).map(plain).filter(Boolean)
  if (words.length === 0) return models
  const whole = words.join('')
  return models
    .map((model, at) => {
      const name = model.name.toLowerCase()
      const all = plain(`${name}${model.serverName ?? device}`.toLowerCase())
      const begins = name.split(/[^\p{L}\p{N}]+/u).some(part => part.startsWith(words[0]!))
      const rank = plain(name).startsWith(whole) ? 0 : plain(name).includes(whole) ? 1 : begins ? 2 : 3
      return { model, at, rank, fits: words.every(word => all.includes(word)) }
    })
    .filter(({ fits }) => fits)
    .toSorted((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ model }) => model)
}

/** With a row for each place, where there are several; the models of a place stand together. */
export function modelRows(models: readonly ModelInfo[], device: string): readonly ModelRow[] {
  const places = new Map<string, ModelInfo[]>()
  for (const model of models) {
    const here = places.get(model.server ?? '')
    if (here) here.push(model)
    else places.set(model.server ?? '', [model])
  }
  let at = 0
  return [...places].flatMap(([id, here]): ModelRow[] => [
    ...(places.size > 1 ? [{ type: 'place', id, name: here[0]?.serverName ?? device } as const] : []),
    ...here.map(model => ({ type: 'model', model, at: at++ }) as const),
  ])
}

/** Without what people leave out or write otherwise: "gpt4o" finds gpt-4o. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}
