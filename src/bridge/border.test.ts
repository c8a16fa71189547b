import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AgentApi, AgentEvent, OpenedSession } from '../core/agent/api/api.ts'
import { AgentError, codeOf } from '../core/errors.ts'
import { connectAgent, type AgentThread } from './page/connect-agent.ts'
import { apiIsCloneable, eventsAreCloneable } from './shared/structured-clone-check.ts'
import { otherTabs } from './worker/other-tabs.ts'
import { serveAgent } from './worker/serve-agent.ts'
import { serveChannels } from './shared/serve-channels.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
  vi.useRealTimers()
})

const page = { visible: () => true, onChange: () => () => {} }
const leaf = (session: string): AgentEvent => ({ type: 'leaf', session, leaf: null })

/** Threads made of message channels: real copies, real ports, an agent on the far side. */
function bordered(agent: () => Promise<Partial<AgentApi>>) {
  const threads: { fails: (message: string) => void; terminated: boolean; tell: (event: AgentEvent) => void }[] = []
  const start = (): AgentThread => {
    const { port1, port2 } = new MessageChannel()
    open.push(() => {
      port1.close()
      port2.close()
    })
    const served = serveAgent(() => agent() as Promise<AgentApi>, port2)
    const thread: (typeof threads)[number] = { fails: () => {}, terminated: false, tell: served.tell }
    threads.push(thread)
    return {
      endpoint: port1,
      terminate: () => {
        thread.terminated = true
        port2.close()
      },
      onError: heard => {
        thread.fails = heard
      },
    }
  }
  const heard: AgentEvent[] = []
  const restarts: number[] = []
  const givenUp: number[] = []
  const startErrors: (string | undefined)[] = []
  const { api, dispose } = connectAgent(
    {
      onEvents: events => {
        heard.push(...events)
      },
      onRestart: () => {
        restarts.push(threads.length)
      },
      onGivenUp: startError => {
        givenUp.push(threads.length)
        startErrors.push(startError)
      },
    },
    { start, page },
  )
  open.push(dispose)
  return { api, dispose, heard, restarts, givenUp, startErrors, threads }
}

const subscribe = async () => {}

describe('the border between page and agent', () => {
  it('carries calls and answers as copies', async () => {
    const row = { id: 'a', title: 'T', createdAt: 1, updatedAt: 2, leaf: null }
    const seen: unknown[] = []
    const { api } = bordered(async () => ({
      subscribe,
      sessions: async () => [row],
      create: async title => {
        seen.push(title)
        return row
      },
    }))
    const [answer] = await api.sessions()
    expect(answer).toEqual(row)
    expect(answer).not.toBe(row)
    await api.create('你好\u0000\ud83d')
    expect(seen).toEqual(['你好\u0000\ud83d'])
  })

  it('makes plain data of state that is a proxy', async () => {
    const seen: unknown[] = []
    const { api } = bordered(async () => ({
      subscribe,
      setDefaults: async changes => {
        seen.push(changes)
      },
    }))
    const state = new Proxy({ config: new Proxy({ a: 1 }, {}) }, {})
    await api.setDefaults(state)
    expect(seen).toEqual([{ config: { a: 1 } }])
  })

  it('answers calls that come before the agent is there', async () => {
    let ready: (agent: Partial<AgentApi>) => void = () => {}
    const { api } = bordered(
      () =>
        new Promise(resolve => {
          ready = resolve
        }),
    )
    await api.ping()
    const sessions = api.sessions()
    ready({ subscribe, sessions: async () => [] })
    expect(await sessions).toEqual([])
  })

  it('rebuilds errors with their code, and gives foreign ones the code unknown', async () => {
    const { api } = bordered(async () => ({
      subscribe,
      open: async (): Promise<OpenedSession> => {
        throw new AgentError('not_found', 'There is no chat x')
      },
      stop: async () => {
        throw new TypeError('odd')
      },
      days: async () => {
        throw new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/remote-1.js')
      },
    }))
    const error = await api.open('x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ code: 'not_found', message: 'There is no chat x' })
    expect(await api.stop('x').catch(codeOf)).toBe('unknown')
    expect(await api.days().catch(codeOf), 'a part that an update removed').toBe('new_version')
    expect(
      await (api as unknown as { missing(): Promise<void> }).missing().catch((thrown: Error) => thrown.message),
    ).toContain('no method missing')
    expect(
      await (api as unknown as { toString(): Promise<void> }).toString().catch((thrown: Error) => thrown.message),
    ).toContain('no method toString')
  })

  it('says why when the agent cannot be built', async () => {
    const { api } = bordered(async () => {
      throw new AgentError('storage_unavailable', 'no')
    })
    expect(await api.sessions().catch(codeOf)).toBe('storage_unavailable')
  })

  it('brings events in batches, also those told before the page listened', async () => {
    let tell: (events: AgentEvent[]) => void = () => {}
    const { heard, threads, api } = bordered(async () => ({
      subscribe: async listener => {
        tell = listener
      },
    }))
    threads[0]!.tell({ type: 'sessions' })
    await api.ping()
    tell([leaf('a')])
    tell([leaf('b')])
    await vi.waitFor(() => {
      expect(heard).toEqual([{ type: 'sessions' }, leaf('a'), leaf('b')])
    })
  })

  it('starts another worker when one breaks: what it owed is rejected, the language goes with it', async () => {
    const languages: string[] = []
    const { api, restarts, threads, heard } = bordered(async () => ({
      subscribe,
      setLanguage: async language => {
        languages.push(language)
      },
      sessions: () => new Promise(() => {}),
      days: async () => [],
    }))
    await api.setLanguage('zh')
    const owed = api.sessions().then(() => 'answered', codeOf)
    threads[0]!.fails('')
    expect(await owed).toBe('worker_lost')
    expect([restarts, threads[0]!.terminated, threads.length]).toEqual([[2], true, 2])
    expect(await api.days()).toEqual([])
    expect(languages).toEqual(['zh', 'zh'])
    threads[0]!.tell(leaf('dead'))
    threads[1]!.tell(leaf('alive'))
    await vi.waitFor(() => {
      expect(heard).toEqual([leaf('alive')])
    })
  })

  it('gives up on a worker that dies again and again, and says so once', async () => {
    const { api, restarts, givenUp, threads } = bordered(async () => ({ subscribe, days: async () => [] }))
    for (let death = 0; death < 6; death++) threads.at(-1)!.fails('')
    expect([restarts.length, givenUp]).toEqual([3, [4]])
    expect(await api.days().catch(codeOf)).toBe('worker_lost')
  })

  it('tells what ended the first lines of a worker at once, and starts no other', async () => {
    const { api, restarts, startErrors, threads } = bordered(() => new Promise(() => {}))
    const owed = api.sessions().then(
      () => 'answered',
      (thrown: Error) => thrown.message,
    )
    threads[0]!.fails('SecurityError: The operation is insecure.')
    expect(await owed).toContain('SecurityError: The operation is insecure.')
    expect([restarts, startErrors, threads.length, threads[0]!.terminated]).toEqual([
      [],
      ['SecurityError: The operation is insecure.'],
      1,
      true,
    ])
  })

  it('leaves a worker that has answered running when something in it throws', async () => {
    const { api, restarts, startErrors, threads } = bordered(async () => ({ subscribe, days: async () => [] }))
    await api.ping()
    threads[0]!.fails('TypeError: one thing')
    expect(await api.days()).toEqual([])
    expect([restarts, startErrors]).toEqual([[], []])
  })

  it('serves a thread once: a second start is refused and builds nothing', async () => {
    const { port1, port2 } = new MessageChannel()
    open.push(() => {
      port1.close()
      port2.close()
    })
    let built = 0
    const build = async () => {
      built++
      return { subscribe } as Partial<AgentApi> as AgentApi
    }
    serveAgent(build, port2)
    expect(() => serveAgent(build, port2)).toThrow('started twice')
    await new Promise(resolve => {
      setTimeout(resolve, 0)
    })
    expect(built).toBe(1)
    const scope = { addEventListener() {} }
    serveChannels(scope, () => () => {})
    expect(() => serveChannels(scope, () => () => {})).toThrow('started twice')
  })

  it('notices a worker that hangs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    let agents = 0
    const { restarts, threads, api } = bordered(async () => ({
      subscribe,
      days: async () => [{ day: String(agents++), lines: 1 }],
    }))
    await api.days()
    threads[0]!.terminated = false
    // Its port is closed from the inside: no answer comes any more.
    open.at(-2)?.()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(restarts).toEqual([2])
    expect(threads[0]!.terminated).toBe(true)
  })

  it('rejects what comes after the end', async () => {
    const { api, dispose, restarts } = bordered(async () => ({ subscribe, days: async () => [] }))
    await api.ping()
    dispose()
    expect(await api.days().catch(codeOf)).toBe('worker_lost')
    expect(restarts).toEqual([])
  })

  it('carries nothing that cannot be copied: the compiler has proved it', () => {
    expect([apiIsCloneable, eventsAreCloneable]).toEqual([true, true])
  })
})

describe('other tabs', () => {
  it("hear what happened in a chat, in batches, and not what is one tab's own affair", async () => {
    const here = otherTabs(BroadcastChannel)
    const there = otherTabs(BroadcastChannel)
    const heard: AgentEvent[] = []
    const echoed: AgentEvent[] = []
    there.onEvent(event => {
      heard.push(event)
    })
    here.onEvent(event => {
      echoed.push(event)
    })
    const text = (text: string): AgentEvent => ({ type: 'delta', session: 'a', part: { type: 'text', text }, at: 0 })
    for (const event of [
      leaf('a'),
      text('one '),
      text('two'),
      { type: 'storage', storage: { state: 'full' } },
      { type: 'failed', session: 'a', code: 'network', message: 'm' },
      { type: 'sessions' },
    ] satisfies AgentEvent[])
      here.broadcast(event)
    await vi.waitFor(() => {
      expect(heard).toEqual([leaf('a'), text('one two'), { type: 'sessions' }])
    })
    expect(echoed).toEqual([])
    open.push(here.close, there.close)
  })

  it('see that this one works, as something to wait for', async () => {
    const here = otherTabs(BroadcastChannel)
    const there = otherTabs(BroadcastChannel)
    const heard: AgentEvent[] = []
    there.onEvent(event => {
      heard.push(event)
    })
    const status = (status: Extract<AgentEvent, { type: 'status' }>['status']): AgentEvent => ({
      type: 'status',
      session: 'a',
      status,
    })
    for (const state of [
      status({ state: 'thinking' }),
      status({ state: 'writing', chars: 3 }),
      status({ state: 'idle' }),
    ])
      here.broadcast(state)
    await vi.waitFor(() => {
      expect(heard).toEqual([status({ state: 'waiting' }), status({ state: 'waiting' }), status({ state: 'idle' })])
    })
    open.push(here.close, there.close)
  })

  it('are missed by nobody where the browser has no channels, or refuses them', () => {
    const alone = otherTabs(undefined)
    alone.onEvent(() => {
      throw new Error('nobody speaks')
    })
    alone.broadcast(leaf('a'))
    alone.close()
    const refused = function refused() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    } as unknown as typeof BroadcastChannel
    otherTabs(refused).broadcast(leaf('a'))
  })
})
