import { expect, it, vi } from 'vitest'
import type { AgentApi, AgentEvent, OpenedSession } from '../../core/agent/api/api.ts'
import type { ContextInfo } from '../../core/agent/api/context-api.ts'
import { AgentError } from '../../core/errors.ts'
import type { Entry } from '../../core/log/entry.ts'
import { OpenSession, type OpenSessionHooks } from './session.svelte.ts'

const entry = (seq: number, more: Partial<Entry> = {}): Entry =>
  ({
    id: `e${seq}`,
    parent: seq === 0 ? null : `e${seq - 1}`,
    at: seq,
    type: 'user',
    text: `text ${seq}`,
    ...more,
  }) as Entry
const answer = (seq: number): Entry => ({
  id: `e${seq}`,
  parent: `e${seq - 1}`,
  at: seq,
  type: 'assistant',
  text: 'done',
  calls: [],
  model: 'm',
  local: true,
  stop: 'stop',
})
const run = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => entry(from + i))

/** The worker's side, as far as a test needs it: a log that can be read by seq. */
function worker(log: Entry[], { newest = 50 }: { newest?: number } = {}) {
  const calls: string[] = []
  const api: Partial<AgentApi> = {
    open: async id => {
      const from = Math.max(0, log.length - newest)
      return {
        info: { id, title: 'T', createdAt: 0, updatedAt: 0, leaf: log.at(-1)?.id ?? null },
        entries: log.slice(from),
        from,
        total: log.length,
        status: { state: 'idle' },
      } satisfies OpenedSession
    },
    entries: async (_, from, to) => {
      calls.push(`${from}-${to}`)
      return log.slice(from, to)
    },
    context: async () => ({ window: 100 }) as ContextInfo,
    idleTrim: async () => null,
  }
  return { api, calls, log }
}

async function opened(api: Partial<AgentApi>, hooks: OpenSessionHooks = {}) {
  const frames: (() => void)[] = []
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      frames.push(task)
    },
    yieldToMain: async () => {},
    ...hooks,
  })
  await session.open()
  return {
    session,
    paint: () => {
      for (const frame of frames.splice(0)) frame()
    },
  }
}

/** What the message box does with each letter; `now`: with what is done at once. */
function type(session: OpenSession, text: string, now = false): void {
  session.draft.typed = text
  session.saveDraft(now)
}

const ids = (session: OpenSession) => session.entries.map(({ id }) => id)
const all = (length: number) => Array.from({ length }, (_, i) => `e${i}`)

it('shows the newest entries first and fetches the older ones behind', async () => {
  const { api, calls } = worker(run(0, 5_000))
  const seen: number[] = []
  const session: OpenSession = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      task()
    },
    yieldToMain: async () => {
      seen.push(session.entries.length)
    },
  })
  await session.open()
  // the page has had time to paint the newest before more comes, and time for keys while these are folded
  expect([...new Set(seen)]).toEqual([50, 2_050])
  expect(seen.length).toBeGreaterThan(10)
  expect(session.items.length).toBe(5_000)
  expect(ids(session)).toEqual(all(5_000))
  // in small messages, for each is unpacked while a key waits
  expect(calls).toEqual([...Array.from({ length: 49 }, (_, i) => `${4_850 - 100 * i}-${4_950 - 100 * i}`), '0-50'])
  expect(session.loadingOlder).toBe(false)
})

it('brings older entries only while nobody types', async () => {
  const { api, calls } = worker(run(0, 5_000))
  let rests = (): void => {}
  const typing = new Promise<void>(resolve => {
    rests = resolve
  })
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      task()
    },
    yieldToMain: async () => {},
    whenIdle: () => (calls.length >= 3 ? typing : Promise.resolve()),
  })
  const opening = session.open()
  await vi.waitFor(() => {
    expect(calls.length).toBe(3)
  })
  await new Promise(resolve => {
    setTimeout(resolve, 50)
  })
  expect(calls.length).toBe(3)
  rests()
  await opening
  expect(session.entries.length).toBe(5_000)
})

it('has what waits in its order, from the row and as it changes, and sends it at once where nothing is being answered', async () => {
  const { api } = worker(run(0, 1))
  const asked: string[] = []
  api.enqueue = async (_, text) => {
    asked.push(`enqueue ${text}`)
  }
  api.sendQueued = async () => {
    asked.push('send')
  }
  api.withdrawQueued = async (_, id) => {
    if (id !== 'q1') throw new AgentError('not_found', 'gone')
    return { id, text: 'whole' }
  }
  const { session } = await opened(api)
  expect(session.queued).toEqual([])
  session.receive([{ type: 'status', session: 's', status: { state: 'thinking' } }])
  expect(await session.enqueue('Two?')).toBe(true)
  session.receive([
    { type: 'queued', session: 's', queued: [{ id: 'q1', text: 'Two?' }] },
    { type: 'queued', session: 'other', queued: [] },
  ])
  expect(session.queued).toMatchObject([{ text: 'Two?' }])
  session.receive([{ type: 'status', session: 's', status: { state: 'interrupted' } }])
  await session.enqueue('Three?')
  expect(asked).toEqual(['enqueue Two?', 'enqueue Three?', 'send'])
  expect(await session.withdrawQueued('q1')).toEqual({ id: 'q1', text: 'whole' })
  expect(await session.withdrawQueued('q2')).toBeUndefined()
  expect(session.failure).toMatchObject({ code: 'not_found' })
})

it('shows nothing older that was removed while it was fetched', async () => {
  const { api, log } = worker(run(0, 5_000))
  const entries = api.entries!
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      task()
    },
    yieldToMain: () =>
      new Promise(resolve => {
        setTimeout(resolve)
      }),
  })
  api.entries = async (...range) => {
    const found = await entries(...range)
    if (range[1] === 950 && log[20] !== undefined && !('gone' in log[20])) {
      log[20] = { ...log[20], gone: { day: '2026-01-01', why: 'deleted', bytes: 3 } }
      session.receive([{ type: 'leaf', session: 's', leaf: 'e4999' }])
    }
    return found
  }
  await session.open()
  expect(ids(session)).toEqual(all(5_000))
  expect(session.entries[20]).toHaveProperty('gone')
})

it('loses nothing that is appended while it opens', async () => {
  const { api, log } = worker(run(0, 3))
  let answerOpen: () => void = () => {}
  const open = api.open!
  api.open = async id => {
    const found = await open(id)
    await new Promise<void>(resolve => {
      answerOpen = resolve
    })
    return found
  }
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      task()
    },
    yieldToMain: async () => {},
  })
  const opening = session.open()
  await vi.waitFor(() => {
    answerOpen()
    expect(true).toBe(true)
  })
  log.push(entry(3))
  session.receive([{ type: 'appended', session: 's', entries: [entry(3)], from: 3, leaf: 'e3' }])
  await vi.waitFor(() => {
    answerOpen()
    expect(session.state).toBe('open')
  })
  await opening
  expect(ids(session)).toEqual(all(4))
  expect(session.leaf).toBe('e3')
})

it('is unchanged by an event that is told twice, and closes a gap by reading', async () => {
  const { api, log, calls } = worker(run(0, 2))
  const { session } = await opened(api)
  const told: AgentEvent = { type: 'appended', session: 's', entries: [entry(1)], from: 1, leaf: 'e1' }
  session.receive([told, told])
  expect(ids(session)).toEqual(all(2))
  log.push(entry(2), entry(3), entry(4))
  session.receive([{ type: 'appended', session: 's', entries: [entry(4)], from: 4, leaf: 'e4' }])
  await vi.waitFor(() => {
    expect(ids(session)).toEqual(all(5))
  })
  expect(calls).toEqual(['2-5'])
})

it('hears only its own chat', async () => {
  const { session } = await opened(worker(run(0, 1)).api)
  session.receive([
    { type: 'appended', session: 'other', entries: [entry(1)], from: 1, leaf: 'e1' },
    { type: 'sessions' },
  ])
  expect(ids(session)).toEqual(all(1))
})

const delta = (part: Extract<AgentEvent, { type: 'delta' }>['part'], at = 0): AgentEvent => ({
  type: 'delta',
  session: 's',
  part,
  at,
})

it('gathers what streams in and paints it once a frame; the stored answer takes its place', async () => {
  const { session, paint } = await opened(worker(run(0, 1)).api)
  session.receive([
    { type: 'status', session: 's', status: { state: 'writing', chars: 2 } },
    delta({ type: 'reasoning', text: 'hm' }),
    delta({ type: 'text', text: 'Hel' }),
  ])
  session.receive([delta({ type: 'text', text: 'lo' }, 3), delta({ type: 'calling', name: 'read_file', chars: 9 })])
  expect(session.reply).toBeNull()
  expect(session.busy).toBe(true)
  paint()
  expect(session.reply).toEqual({
    text: 'Hello',
    reasoning: 'hm',
    calling: { name: 'read_file', chars: 9 },
    calls: [],
  })
  session.receive([delta({ type: 'call', call: { id: 'c', name: 'read_file', arguments: '{}' } })])
  paint()
  expect(session.reply).toEqual({
    text: 'Hello',
    reasoning: 'hm',
    calls: [{ id: 'c', name: 'read_file', arguments: '{}' }],
  })
  session.receive([
    delta({ type: 'finish', stop: 'stop' }),
    { type: 'appended', session: 's', entries: [answer(1)], from: 1, leaf: 'e1' },
  ])
  paint()
  expect(session.reply).toBeNull()
  expect(session.entries.at(-1)).toMatchObject({ type: 'assistant', text: 'done' })
})

it('shows a piece once, although it was told before the chat was read and comes after', async () => {
  const { api } = worker(run(0, 1))
  const open = api.open!
  api.open = async id => ({
    ...(await open(id)),
    status: { state: 'writing', chars: 5 },
    partial: { text: 'One two', reasoning: 'hm' },
  })
  const { session, paint } = await opened(api)
  session.receive([
    delta({ type: 'reasoning', text: 'm' }, 1),
    delta({ type: 'text', text: 'two' }, 4),
    delta({ type: 'text', text: ' three' }, 7),
  ])
  paint()
  expect(session.reply).toMatchObject({ text: 'One two three', reasoning: 'hm' })
  session.receive([delta({ type: 'text', text: 'Anew' })]) // another attempt, as a tab hears it that only follows
  paint()
  expect(session.reply?.text).toBe('Anew')
})

it('hands on a draft that could not be stored, until it is', async () => {
  const unkept: (string | undefined)[] = []
  let gone = true
  const { session } = await opened(
    {
      ...worker(run(0, 1)).api,
      saveDraft: async () => {
        if (gone) throw new AgentError('storage_gone', 'gone')
      },
    },
    {
      onUnsavedDraft: typed => {
        unkept.push(typed)
      },
    },
  )
  type(session, 'typed', true)
  await vi.waitFor(() => expect(unkept).toEqual(['typed']))
  gone = false
  type(session, 'typed on', true)
  await vi.waitFor(() => expect(unkept).toEqual(['typed', undefined]))
})

it('keeps an answer on the screen that could not be stored, until another one begins', async () => {
  const { session, paint } = await opened(worker(run(0, 1)).api)
  const tell = (...events: AgentEvent[]) => {
    session.receive(events)
    paint()
  }
  tell(
    { type: 'status', session: 's', status: { state: 'thinking' } },
    { type: 'delta', session: 's', part: { type: 'text', text: 'Half' }, at: 0 },
  )
  tell(
    { type: 'failed', session: 's', code: 'storage_gone', message: 'gone' },
    { type: 'status', session: 's', status: { state: 'idle' } },
  )
  expect(session.reply?.text).toBe('Half')
  expect(session.snapshot).toMatchObject({ leaf: 'e0', partial: { text: 'Half' } })
  tell({ type: 'status', session: 's', status: { state: 'thinking' } })
  expect(session.reply).toBeNull()
  tell(
    { type: 'delta', session: 's', part: { type: 'text', text: 'Other' }, at: 0 },
    { type: 'status', session: 's', status: { state: 'idle' } },
  )
  expect(session.reply).toBeNull()
})

it('waits with what follows a gap until the missing piece is read', async () => {
  vi.useFakeTimers()
  const { api } = worker(run(0, 1))
  const open = api.open!
  let saved = 'One '
  api.open = async id => ({
    ...(await open(id)),
    status: { state: 'waiting' },
    partial: { text: saved, reasoning: '' },
  })
  const { session, paint } = await opened(api)
  session.receive([delta({ type: 'text', text: 'three' }, 8)])
  paint()
  expect(session.reply?.text).toBe('One ')
  await vi.advanceTimersByTimeAsync(1_000) // not saved yet: it asks again
  paint()
  expect(session.reply?.text).toBe('One ')
  saved = 'One two thr'
  await vi.advanceTimersByTimeAsync(1_000)
  session.receive([delta({ type: 'text', text: ' four' }, 13)])
  paint()
  expect(session.reply?.text).toBe('One two three four')
  session.dispose()
  vi.useRealTimers()
})

it('says a failure until the next attempt, and a stop is none', async () => {
  const { api } = worker(run(0, 1))
  api.send = async () => {
    throw new AgentError('storage_full', 'No room for 12 bytes')
  }
  api.stop = async () => {
    throw new AgentError('stopped', 'Stopped')
  }
  api.resume = async () => undefined
  const { session } = await opened(api)
  expect(await session.send('x')).toBe(false)
  expect(session.failure).toEqual({ code: 'storage_full', message: 'No room for 12 bytes' })
  expect(await session.resume()).toBe(true)
  expect(session.failure).toBeNull()
  await session.stop()
  expect(session.failure).toBeNull()
})

it('reads all anew when texts were blanked', async () => {
  const { api, log } = worker(run(0, 3))
  const { session } = await opened(api)
  log[1] = entry(1, { text: '', gone: { bytes: 6, day: '2026-01-31', why: 'deleted' } } as Partial<Entry>)
  session.receive([{ type: 'leaf', session: 's', leaf: 'e2' }])
  await vi.waitFor(() => {
    expect(session.entries[1]).toMatchObject({ gone: { why: 'deleted' } })
  })
  expect(ids(session)).toEqual(all(3))
})

it('opens again after a restart of the worker with what was stored', async () => {
  const { api, log } = worker(run(0, 2))
  const { session, paint } = await opened(api)
  session.receive([delta({ type: 'text', text: 'half' })])
  paint()
  log.push(answer(2))
  await session.open()
  expect(ids(session)).toEqual(all(3))
  expect(session.reply).toBeNull()
})

it('says that a chat is gone, and keeps any other failure for the screen', async () => {
  const { session } = await opened({
    open: async () => {
      throw new AgentError('not_found', 'no')
    },
  })
  expect(session.state).toBe('gone')
  const other = await opened({
    open: async () => {
      throw new AgentError('storage_lost', 'gone')
    },
  })
  expect(other.session.state).toBe('loading')
  expect(other.session.failure?.code).toBe('storage_lost')
})

it('hands what a command wants of the page to the page, but not a refusal', async () => {
  const { api } = worker(run(0, 1))
  const replies: unknown[] = []
  api.command = async (_, line) =>
    line === '/new' ? { open: 'n' } : { error: { code: 'bad_input', message: 'no such command', sendAsText: line } }
  const { session } = await opened(api, {
    onReply: reply => {
      replies.push(reply)
    },
  })
  await session.command('/new')
  expect((await session.command('/nwe'))?.error?.sendAsText).toBe('/nwe')
  expect(replies).toEqual([{ open: 'n' }])
})

it('brings another version into view before it jumps into it', async () => {
  const { api } = worker(run(0, 3))
  const switched: string[] = []
  const { session } = await opened(api)
  api.switchLeaf = async (_, entry) => {
    switched.push(entry)
    session.receive([{ type: 'leaf', session: 's', leaf: 'e2' }])
  }
  await session.jumpTo('e2')
  expect([switched, session.jump]).toEqual([[], { entry: 'e2' }])
  session.receive([{ type: 'leaf', session: 's', leaf: 'e1' }]) // e2 is another version now
  await session.jumpTo('e2')
  expect([switched, session.jump]).toEqual([['e2'], { entry: 'e2' }])
})

it('waits for an older entry before it jumps there', async () => {
  const { api } = worker(run(0, 300), { newest: 10 })
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      task()
    },
    yieldToMain: () =>
      new Promise(resolve => {
        setTimeout(resolve, 1)
      }),
  })
  void session.open()
  await session.jumpTo('e3')
  expect(session.jump).toEqual({ entry: 'e3' })
  expect(session.entries.some(({ id }) => id === 'e3')).toBe(true)
})

const newChat = { id: 's', title: '', createdAt: 0, updatedAt: 0, leaf: null }

it('is open before any thread has answered, and says that nothing is stored', async () => {
  const said: unknown[] = []
  let answer: (opened: OpenedSession) => void = () => {}
  const api: Partial<AgentApi> = {
    open: (_, options) => {
      said.push(options)
      return new Promise(resolve => {
        answer = resolve
      })
    },
    context: async () => ({ window: 100 }) as ContextInfo,
    idleTrim: async () => null,
    saveDraft: async (_, draft) => {
      said.push(draft)
    },
    leave: async () => {
      said.push('left')
    },
  }
  const session = new OpenSession(api as AgentApi, 's', { newChat })
  expect([session.state, session.isUnstored, session.info]).toEqual(['open', true, newChat])
  const opening = session.open()
  // what happens before the answer is shown, and is not undone by it
  session.receive([{ type: 'appended', session: 's', entries: [entry(0)], from: 0, leaf: 'e0' }])
  answer({ info: { ...newChat, title: 'New chat' }, entries: [], from: 0, total: 0, status: { state: 'idle' } })
  await opening
  expect([ids(session), session.leaf, session.isUnstored]).toEqual([['e0'], 'e0', false])
  session.leave()
  expect(said).toEqual([{ begin: true }])
})

it('keeps no draft of a new chat before there is one, and takes an emptied one away when it is left', async () => {
  const said: string[] = []
  const api: Partial<AgentApi> = {
    open: async () => ({ info: newChat, entries: [], from: 0, total: 0, status: { state: 'idle' } }),
    context: async () => ({ window: 100 }) as ContextInfo,
    idleTrim: async () => null,
    saveDraft: async (_, draft) => {
      said.push(draft)
    },
    leave: async () => {
      said.push('left')
    },
  }
  const session = new OpenSession(api as AgentApi, 's', { newChat })
  await session.open()
  type(session, '', true)
  session.leave()
  expect(said).toEqual([])
  type(session, 'hm', true)
  session.setInfo({ ...newChat, draft: 'hm' }) // the list shows it now
  expect(session.isUnstored).toBe(false)
  session.leave()
  expect(said).toEqual(['hm'])
  session.draft.typed = ''
  session.leave()
  expect(said).toEqual(['hm', '', 'left'])
  session.setInfo(undefined)
  expect(session.isUnstored).toBe(true)
})

it('takes an emptied draft away that was kept, also before the list has told of it', async () => {
  const said: string[] = []
  const { api } = worker([])
  const session = new OpenSession(
    {
      ...api,
      saveDraft: async (_, draft) => {
        said.push(draft)
      },
      leave: async () => {
        said.push('left')
      },
    } as AgentApi,
    's',
    { newChat },
  )
  type(session, 'hm', true)
  type(session, '', true)
  session.leave()
  expect(said).toEqual(['hm', '', '', 'left'])
})

it('is stored with what is typed when the person goes elsewhere, and only then', async () => {
  const said: string[] = []
  const { api } = worker([])
  const session = new OpenSession(
    {
      ...api,
      saveDraft: async (_, draft) => {
        said.push(draft)
      },
    } as AgentApi,
    's',
    { newChat },
  )
  session.saveBeforeLeaving()
  expect([session.isUnstored, said]).toEqual([true, []])
  type(session, 'hm')
  session.saveBeforeLeaving()
  expect([session.isUnstored, said]).toEqual([false, ['hm']])
  session.dispose()
})

it('asks for the context once nobody types, and once for all that happened meanwhile', async () => {
  vi.useFakeTimers()
  try {
    const { api } = worker(run(0, 1))
    let asked = 0
    let rests: () => void = () => {}
    const { session } = await opened(
      {
        ...api,
        context: async () => {
          asked++
          return { window: 100 } as ContextInfo
        },
      },
      {
        whenIdle: () =>
          new Promise(resolve => {
            rests = resolve
          }),
      },
    )
    await vi.advanceTimersByTimeAsync(1_000)
    session.receive([{ type: 'context', session: 's' }])
    const first = rests
    await vi.advanceTimersByTimeAsync(1_000)
    expect([asked, session.context]).toEqual([0, undefined])
    first()
    rests()
    await vi.advanceTimersByTimeAsync(0)
    expect([asked, session.context]).toEqual([1, { window: 100 }])
  } finally {
    vi.useRealTimers()
  }
})

it('keeps what is typed each half a second while somebody types, not only when they pause', async () => {
  vi.useFakeTimers()
  try {
    const said: string[] = []
    const { api } = worker([])
    const session = new OpenSession(
      {
        ...api,
        saveDraft: async (_, draft) => {
          said.push(draft)
        },
      } as AgentApi,
      's',
    )
    for (let at = 0; at < 20; at++) {
      type(session, 'x'.repeat(at + 1))
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(said.map(draft => draft.length)).toEqual([5, 10, 15, 20])
  } finally {
    vi.useRealTimers()
  }
})

it('keeps what stood in the message box when the page was left once the worker knows the chat', async () => {
  vi.useFakeTimers()
  try {
    const said: string[] = []
    const { api } = worker([])
    const told: Partial<AgentApi> = {
      ...api,
      open: async (...all) => {
        said.push('open')
        return api.open!(...all)
      },
      saveDraft: async (_, draft) => {
        said.push(draft)
      },
    }
    const session = new OpenSession(told as AgentApi, 's', { newChat, typed: 'a thought' })
    expect(session.draft.typed).toBe('a thought')
    await session.open()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(said).toEqual(['open', 'a thought'])
  } finally {
    vi.useRealTimers()
  }
})
