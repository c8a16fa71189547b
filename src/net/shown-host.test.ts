/** The host that a person is asked about is the one that the network is asked for. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runTool, type ToolContext } from '../core/agent/tools/tool.ts'
import { fetchUrl } from '../core/agent/tools/fetch-url.ts'
import { runs } from '../core/text/laws.fixture.ts'
import { trickyAddress } from '../core/text/address/web-address.fixture.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import { createAllowedFetch } from './allowed-fetch.ts'
import { createReadPage } from './read-page.ts'

/** What `fetch` was asked for while the tool ran. */
async function asked(url: string, response: () => Response): Promise<string[]> {
  const hosts: string[] = []
  const { page } = createAllowedFetch({
    store: new MemoryStore(),
    now: () => 1,
    fetch: async input => {
      hosts.push(new URL(String(input)).host)
      return response()
    },
  })
  const context = {
    readPage: createReadPage(page),
    signal: new AbortController().signal,
    maxBytes: 50_000,
  } as unknown as ToolContext
  await runTool(fetchUrl, { url }, context)
  return hosts
}

it('whatever the address, also where the server sends on to another host', async () => {
  await fc.assert(
    fc.asyncProperty(trickyAddress, fc.boolean(), async (url, redirects) => {
      if (fetchUrl.kind !== 'acts') throw new Error('It only reads')
      let shown: string | undefined
      try {
        const plan = fetchUrl.plan({ url })
        shown = plan.does === 'fetch' ? plan.address.host : undefined
      } catch {
        /* nobody is asked */
      }
      const hosts = await asked(url, () =>
        redirects
          ? new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })
          : new Response('x', { headers: { 'content-type': 'text/plain' } }),
      )
      expect(hosts).toEqual(shown === undefined ? [] : [shown])
    }),
    runs(500),
  )
})
