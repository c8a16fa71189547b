/** Recommends the model to start with: the first in a fixed order that works now, without any download. Pure. */
import type { LocalModel } from '../../core/ports/local-engine.ts'
import type { ModelInfo } from '../../core/ports/ports.ts'

/** What was found out, as far as it was. Absent: not asked (yet). */
export type ModelFindings = {
  models: readonly ModelInfo[]
  /** By server: whether it answered just now. */
  answers: Readonly<Record<string, boolean>>
  /** Ids of models of the graphics card that are whole on this device, with their engine. */
  offline: readonly string[]
  /** The browser's own model is downloaded. */
  browser: boolean
}

export type Recommended = {
  model: string
  name: string
  why: 'server' | 'offline' | 'browser' | 'recall'
  server?: string
}

/**
 * A server that answers, a model that works offline, the browser's own, Recall. Of several of one kind the one that
 * uses tools best, then the one with the larger window.
 */
export function recommended(
  { models, answers, offline, browser }: ModelFindings,
  browserModel: Pick<LocalModel, 'id' | 'name'>,
): Recommended {
  const server = best(models.filter(model => model.server !== undefined && answers[model.server] === true))
  if (server)
    return {
      model: server.id,
      name: server.name,
      why: 'server',
      ...(server.serverName ? { server: server.serverName } : {}),
    }
  const here = best(models.filter(({ id, kind }) => kind === 'webllm' && offline.includes(id)))
  if (here) return { model: here.id, name: here.name, why: 'offline' }
  if (browser) return { model: browserModel.id, name: browserModel.name, why: 'browser' }
  const recall = models.find(({ kind }) => kind === 'recall')
  return { model: recall?.id ?? 'recall', name: recall?.name ?? 'Recall', why: 'recall' }
}

const grades = { good: 2, 'so-so': 1, no: 0 } as const

function best(models: readonly ModelInfo[]): ModelInfo | undefined {
  return models.toSorted(
    (a, b) => grades[b.toolUse ?? 'no'] - grades[a.toolUse ?? 'no'] || b.contextWindow - a.contextWindow,
  )[0]
}
