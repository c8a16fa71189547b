/** The open chat: what is shown of it while it is read, and while an answer streams in. */
import { expect, it, vi } from 'vitest'
import type { AgentApi, AgentEvent } from '../../core/agent/api/api.ts'
import type { ContextInfo } from '../../core/agent/api/context-api.ts'
import { AgentError } from '../../core/errors.ts'
import type { Entry } from '../../core/log/entry.ts'
import { OpenSession } from './session.svelte.ts'
import { entry, run, worker, opened, ids, all } from './session.fixture.ts'

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
