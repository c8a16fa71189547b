import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { collectParts } from '../model.laws.ts'
import { remote } from './remote.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer()
})
afterAll(() => fake.stop())

it('a stream that somebody holds back is told of at the second answer in a row, not for one that may have been chance, and not for one that streams', async () => {
  const net = createAllowedFetch({
    store: { setting: async () => undefined, saveSetting: async () => undefined },
    now: () => 0,
  })
  net.allow([fake.url])
  const last = async (name: string, scene = name) => {
    const model = remote({
      server: { id: 's', name: 'Fake', baseUrl: fake.url, models: [] },
      name,
      contextWindow: 32_768,
      local: true,
      fetch: net.model,
    })
    return (
      await collectParts(model, { system: '', messages: [{ role: 'user', content: `[[${scene}]]` }], tools: [] })
    ).at(-1)
  }
  expect(await last('a', 'held')).not.toHaveProperty('bufferedByProxy')
  expect(await last('a', 'held')).toMatchObject({ type: 'finish', bufferedByProxy: true })
  expect(await last('a', 'slow 20')).not.toHaveProperty('bufferedByProxy') // a model that thinks, then streams
  expect(await last('a', 'held')).not.toHaveProperty('bufferedByProxy') // once again: chance
  expect(await last('b', 'lump')).not.toHaveProperty('bufferedByProxy') // all at once, but at once
  expect(await last('b', 'lump')).not.toHaveProperty('bufferedByProxy')
}, 30_000)
