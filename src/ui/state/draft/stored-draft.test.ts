/** What stands in the message box is stored, and a new chat is not stored before it. */
import { expect, it, vi } from 'vitest'
import type { AgentApi, OpenedSession } from '../../../core/agent/api/api.ts'
import type { ContextInfo } from '../../../core/agent/api/context-api.ts'
import { AgentError } from '../../../core/errors.ts'
import { OpenSession } from '../session.svelte.ts'
import { entry, run, worker, opened, type, ids, newChat } from '../session.fixture.ts'

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
