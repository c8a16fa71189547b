/** The composition root: builds the agent of this tab from its bodies and serves it to the page. It decides nothing. */
import { createEngineConnections } from '../src/bridge/worker/engine-connections.ts'
import { otherTabs } from '../src/bridge/worker/other-tabs.ts'
import { serveAgent } from '../src/bridge/worker/serve-agent.ts'
import { locksOf } from '../src/bridge/worker/web-locks.ts'
import { world } from '../src/bridge/worker/world.ts'
import type { AgentEvent } from '../src/core/agent/api/api.ts'
import { createAgent, type Agent } from '../src/core/agent/agent.ts'
import { localModels } from '../src/models/engines/local-models.ts'
import { createModels } from '../src/models/registry.ts'
import { createTokenizer } from '../src/models/tokenizer.ts'
import { createAllowedFetch } from '../src/net/allowed-fetch.ts'
import { linearPattern } from '../src/net/linear-pattern.ts'
import { keyVault } from '../src/storage/key-vault.ts'
import { openStore } from '../src/storage/open-store.ts'

// Served before it is built: what the page sends meanwhile must not be missed.
const served = serveAgent(
  () =>
    build(event => {
      served.tell(event)
    }),
  self,
)

async function build(tell: (event: AgentEvent) => void): Promise<Agent> {
  const tabs = otherTabs(globalThis.BroadcastChannel)
  const { store, state } = await openStore({
    onState: storage => {
      tell({ type: 'storage', storage })
    },
  })
  const locks = locksOf(navigator.locks)
  const net = createAllowedFetch({ store, now: world.now, ownOrigin: self.location.origin })
  const engines = createEngineConnections({
    request: kind => {
      tell({ type: 'engine', kind })
    },
    contacted: ({ host, requests, received }) => {
      net.count(host, { requests, received })
    },
  })
  const agent = createAgent({
    store,
    world,
    models: createModels({
      store,
      secrets: keyVault({ store, locks, crypto: self.crypto }),
      fetch: net.model,
      allow: net.allow,
      image: id => store.blob(id),
      local: localModels({ store, engines }),
    }),
    locks,
    tokenizer: createTokenizer(),
    // few chats fetch pages
    readPage: async (url, signal) => (await import('../src/net/read-page.ts')).createReadPage(net.page)(url, signal),
    compilePattern: linearPattern,
    // few chats propose memory
    diffLines: async (before, after) => (await import('../src/bridge/shared/line-diff.ts')).lineDiff(before, after),
    contacted: net.contacted,
    storage: state,
    broadcast: tabs.broadcast,
    idleAfter: 5_000,
  })
  tabs.onEvent(agent.onPeerEvent)
  return agent
}
