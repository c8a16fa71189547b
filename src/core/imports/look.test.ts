import { expect, it } from 'vitest'
import { lookAt } from './look.ts'
import { fileFinder, groupsOf, type SourceFile } from './read-export.ts'

const file = (path: string, text: string): SourceFile => ({
  path,
  head: async () => text,
  async *text() {
    yield* text.match(/[^]{1,7}/g) ?? []
  },
  bytes: async () => new Uint8Array([1]),
})
const row = (uuid: string, parentUuid: string | null, more: object): string =>
  JSON.stringify({ uuid, parentUuid, sessionId: 's', timestamp: '2026-05-01T10:00:00Z', ...more })
const session = [
  row('u', null, { type: 'user', message: { role: 'user', content: 'Why?' } }),
  row('a', 'u', {
    type: 'assistant',
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Because.' }] },
  }),
].join('\n')
const subAgent = row('x', null, { type: 'user', isSidechain: true, message: { role: 'user', content: 'Look there.' } })

const lookInto = async (...files: SourceFile[]) => {
  const [group] = await groupsOf(files)
  return lookAt('claude-code', group!)
}

it('a sub-agent’s file belongs to its session, and is no chat without it', async () => {
  const whole = await lookInto(file('s.jsonl', session), file('s/subagents/agent-1.jsonl', subAgent))
  expect(whole).toMatchObject({ chats: [{ id: 's', messages: 2 }], findings: { skipped: [] } })
  const alone = await lookInto(file('agent-1.jsonl', subAgent))
  expect(alone).toMatchObject({ chats: [], findings: { skipped: [{ id: 's', why: 'no messages' }] } })
})

it('what is given together is told apart by what it is, and what is no chat lies beside', async () => {
  const groups = await groupsOf([file('s.jsonl', session), file('notes.txt', 'x'), file('a.png', '\x89PNG')])
  expect(groups).toMatchObject([{ of: 'claude-code', beside: [{ path: 'notes.txt' }, { path: 'a.png' }] }])
  expect(await groupsOf([file('notes.txt', 'x')])).toMatchObject([{ of: undefined, files: [] }])
})

it('an attachment is found by its path, its name, or the id that ChatGPT gives its file', () => {
  const find = fileFinder(['files/leaf.png', 'file-9fXa-photo.png', 'file_abc.dat'].map(path => file(path, '')))
  for (const [ref, path] of [
    ['leaf.png', 'files/leaf.png'],
    ['/images/leaf.png', 'files/leaf.png'],
    ['file-service://file-9fXa', 'file-9fXa-photo.png'],
    ['sediment://file_abc', 'file_abc.dat'],
  ] as const)
    expect(find(ref)?.path, ref).toBe(path)
  expect(find('sediment://file_none')).toBeUndefined()
})
