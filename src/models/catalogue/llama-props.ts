/**
 * What llama.cpp tells of its models in `/props`: of the one that it has, or behind a router of those that are loaded.
 */

type Fields = Record<string, unknown>
/** Asks one path of the server; an empty object where it does not answer. */
type Get = (path: string) => Promise<Fields>

/** `row`: of the router's own list. `props`: absent of a model that is not loaded. */
export type LlamaModel = { name: string; row?: Fields; props?: Fields }

/**
 * `names`: the models that the app knows of this server. A router says itself what it is: its list may hold one model
 * that talks beside others. Of its models only loaded ones are asked, with a flag not to load: asking would load the
 * others.
 */
export async function probeLlamaModels(names: readonly string[], get: Get): Promise<LlamaModel[]> {
  const own = await get('/props')
  if (own['role'] !== 'router' && names.length <= 1) return names.map(name => ({ name, props: own }))
  const { data } = await get('/models')
  return Promise.all(
    (Array.isArray(data) ? data : []).map(fieldsOf).map(async row => {
      const name = String(row['id'])
      if (fieldsOf(row['status'])['value'] !== 'loaded') return { name, row }
      return { name, row, props: await get(`/props?model=${encodeURIComponent(name)}&autoload=false`) }
    }),
  )
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
