/** Models of the fake server, each named after the scenario that it plays. */
import { names } from '../../../e2e/servers/fake-scenarios.ts'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import type { Message, ModelPart, ModelRequest } from '../../core/log/message.ts'
import type { Model, Server } from '../../core/ports/ports.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { plainRequest } from '../model.laws.ts'
import { remote } from './remote.ts'

/** What most scenarios say. */
export const sample = 'The quick brown fox — 敏捷的棕色狐狸 🦊 — jumps.'
export const key = 'sk-test-0123456789abcdefSECRET'
/** Those that end, and within a moment. */
export const ending = names.filter(name => !['hang', 'waits', 'slow', 'fast', 'rush', 'buffered'].includes(name))

export type ScenarioServer = {
  fake: FakeServer
  /** These and no others may be asked. */
  allow(urls: readonly string[]): void
  model(name: string, changes?: Partial<Server> & { contextWindow?: number }): Model
}

/** Wants the key; each model of it is one of a server row of its own. */
export async function startScenarioServer(): Promise<ScenarioServer> {
  const fake = await startFakeServer({ key })
  const net = createAllowedFetch({
    store: { setting: async () => undefined, saveSetting: async () => undefined },
    now: () => 0,
  })
  net.allow([fake.url])
  let count = 0
  return {
    fake,
    allow: net.allow,
    model(name, changes = {}) {
      const server: Server = { id: `s${++count}`, name: 'Fake', baseUrl: fake.url, key, models: [], ...changes }
      return remote({
        server,
        name,
        contextWindow: changes.contextWindow ?? 32_768,
        local: true,
        fetch: net.model,
      })
    },
  }
}

export const saying = (content: string, ...more: Message[]): ModelRequest => ({
  ...plainRequest,
  messages: [{ role: 'user', content }, ...more],
})

export const textOf = (parts: readonly ModelPart[]): string =>
  parts.map(part => (part.type === 'text' ? part.text : '')).join('')
