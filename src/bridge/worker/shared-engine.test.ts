import { describe, expect, it } from 'vitest'
import { AgentError } from '../../core/errors.ts'
import type { Engine, EngineState, LocalModel } from '../../core/ports/local-engine.ts'
import type { ModelPart, ModelRequest } from '../../core/log/message.ts'
import { sharedEngine } from './shared-engine.ts'

const model: LocalModel = { id: 'webllm:a', kind: 'webllm', name: 'A', contextWindow: 1_024, tools: false }
const request: ModelRequest = { system: '', messages: [{ role: 'user', content: 'x' }], tools: [] }
const never = new AbortController().signal
const silenceMs = 2_000

/** Web Locks of several tabs in one thread: one holder a name, stealing breaks the holder's promise. */
function lockManager(): { request: LockManager['request']; close(holder: string): void } {
  let held: { reject(reason: unknown): void } | undefined
  const request = (async (
    _: string,
    options: LockOptions,
    task: (lock: Lock | null) => Promise<unknown>,
  ): Promise<unknown> => {
    if (held && options.ifAvailable) return task(null)
    if (held && options.steal) held.reject(new DOMException('stolen', 'AbortError'))
    return new Promise((resolve, reject) => {
      const mine = { reject }
      held = mine
      task({ name: 'x', mode: 'exclusive' })
        .then(resolve, reject)
        .finally(() => {
          if (held === mine) held = undefined
        })
    })
  }) as LockManager['request']
  return {
    request,
    close: () => {
      held = undefined
    },
  }
}

/** The channel between tabs. A frozen tab hears and says nothing. */
function channels(): { open(): { channel: BroadcastChannel; freeze(): void } } {
  const ears: { hear(event: MessageEvent): void; owner: object }[] = []
  return {
    open() {
      let frozen = false
      const owner = {}
      const channel = {
        postMessage(data: unknown) {
          if (frozen) return
          const copy: unknown = structuredClone(data)
          queueMicrotask(() => {
            for (const ear of ears) if (ear.owner !== owner) ear.hear({ data: copy } as MessageEvent)
          })
        },
        addEventListener: (_: string, listener: (event: MessageEvent) => void) => {
          ears.push({
            owner,
            hear: event => {
              if (!frozen) listener(event)
            },
          })
        },
        removeEventListener: () => {},
      } as unknown as BroadcastChannel
      return {
        channel,
        freeze() {
          frozen = true
        },
      }
    },
  }
}

type Recorded = Engine & { asked: string[]; stopped: number }

/** Says its own name as an answer, one part after the other. */
function namedEngine(name: string, { parts = 3, everyMs = 2 } = {}): Recorded {
  const engine: Recorded = {
    asked: [],
    stopped: 0,
    watch(tell) {
      tell({ work: { state: 'ready', model: name }, disk: {} })
      return () => {}
    },
    act: async act => {
      engine.asked.push(act.type)
    },
    async *generate(_, __, signal): AsyncGenerator<ModelPart> {
      engine.asked.push('generate')
      for (let n = 0; n < parts; n++) {
        await new Promise(resolve => {
          setTimeout(resolve, everyMs)
        })
        if (signal.aborted) {
          engine.stopped++
          throw new AgentError('stopped', 'Stopped')
        }
        yield { type: 'text', text: `${name}${n}` }
      }
      yield { type: 'finish', stop: 'stop' }
    },
  }
  return engine
}

async function textOf(engine: Engine, signal = never): Promise<string> {
  let text = ''
  for await (const part of engine.generate(model, request, signal)) if (part.type === 'text') text += part.text
  return text
}

function twoTabs(first = namedEngine('a'), second = namedEngine('b')) {
  const locks = lockManager()
  const between = channels()
  const tabs = [first, second].map((engine, n) => {
    const { channel, freeze } = between.open()
    return {
      own: engine,
      freeze,
      engine: sharedEngine({ engine, name: 'e', locks, channel, silenceMs, newId: () => `tab${n}` }),
    }
  })
  return { one: tabs[0]!, two: tabs[1]!, locks }
}

describe('one engine for all tabs of a browser', () => {
  it('is run by the tab that came first; the other one uses it through that tab', async () => {
    const { one, two } = twoTabs()
    expect(await textOf(one.engine)).toBe('a0a1a2')
    expect(await textOf(two.engine)).toBe('a0a1a2')
    expect(two.own.asked).toEqual([])
  })

  it('two at once get an answer each, unmixed', async () => {
    const { one, two } = twoTabs()
    expect(await Promise.all([textOf(one.engine), textOf(two.engine)])).toEqual(['a0a1a2', 'a0a1a2'])
  })

  it('a stop in the other tab reaches the engine', async () => {
    const { one, two } = twoTabs(namedEngine('a', { parts: 500, everyMs: 2 }))
    await one.engine.act({ type: 'load', model }, never)
    const control = new AbortController()
    setTimeout(() => {
      control.abort()
    }, 40)
    await expect(textOf(two.engine, control.signal)).rejects.toMatchObject({ code: 'stopped' })
    await expect.poll(() => one.own.stopped).toBe(1)
  })

  it('looking at the disk or the device asks nobody else', async () => {
    const { one, two } = twoTabs()
    await one.engine.act({ type: 'load', model }, never)
    await two.engine.act({ type: 'measure' }, never)
    await two.engine.act({ type: 'check', models: [] }, never)
    expect(two.own.asked).toEqual(['measure', 'check'])
  })

  it('shows in every tab what the engine does', async () => {
    const { one, two } = twoTabs()
    const seen: EngineState[] = []
    two.engine.watch(state => {
      seen.push(state)
    })
    await one.engine.act({ type: 'load', model }, never)
    await expect.poll(() => seen.at(-1)?.work).toEqual({ state: 'ready', model: 'a' })
  })

  it('takes over when the tab that had it has closed', async () => {
    const { one, two, locks } = twoTabs()
    await one.engine.act({ type: 'load', model }, never)
    one.freeze()
    locks.close('a')
    expect(await textOf(two.engine)).toBe('b0b1b2')
  })

  it('takes over from a frozen tab after its silence, and that tab frees its memory when it wakes', async () => {
    const { one, two } = twoTabs()
    await one.engine.act({ type: 'load', model }, never)
    one.freeze()
    const began = Date.now()
    expect(await textOf(two.engine)).toBe('b0b1b2')
    expect(Date.now() - began).toBeGreaterThanOrEqual(silenceMs - 50)
    await expect.poll(() => one.own.asked).toContain('unload')
  })

  it('half an answer of a tab that froze fails as lost, and the next one comes from here', async () => {
    const { one, two } = twoTabs(namedEngine('a', { parts: 500, everyMs: 5 }))
    await one.engine.act({ type: 'load', model }, never)
    setTimeout(() => {
      one.freeze()
    }, 60)
    await expect(textOf(two.engine)).rejects.toMatchObject({ code: 'worker_lost' })
    expect(await textOf(two.engine)).toBe('b0b1b2')
  })

  it('without locks or a channel each tab runs its own', async () => {
    const engine = namedEngine('a')
    expect(sharedEngine({ engine, name: 'e', locks: undefined, channel: undefined })).toBe(engine)
  })

  it('each tab runs its own where the browser has locks and refuses them', async () => {
    const locks = {
      request: async () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    } as unknown as LockManager
    const between = channels()
    const engine = sharedEngine({
      engine: namedEngine('a'),
      name: 'e',
      locks,
      channel: between.open().channel,
      silenceMs,
    })
    expect(await textOf(engine)).toBe('a0a1a2')
  })
})
