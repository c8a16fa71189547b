import { afterEach, expect, it } from 'vitest'
import { dayOf } from '../../text/day.ts'
import { testAgent, sendAndSettle, stillWorld } from '../agent.fixture.ts'
import { fullArchive } from './readable-archive.ts'
import { readPath } from './read-path.ts'
import { exportLinesOf, importLinesInto } from '../transfer/transfer.fixture.ts'

const home = process.env['TZ']
afterEach(() => {
  process.env['TZ'] = home
})

/** 23:30 in one place, and the day before or after elsewhere. */
const places = [
  ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
  ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ['Asia/Shanghai', 'America/New_York'],
  ['Europe/Berlin', 'Asia/Tokyo'],
] as const

it.each(places)('what was kept in %s is found and read by its path in %s', async (from, to) => {
  process.env['TZ'] = from
  const b = testAgent(['The door is blue.', 'Noted.'])
  const { id } = await b.agent.create('Doors')
  await sendAndSettle(b, id, 'Which colour has the door?')
  await b.agent.command(id, '/memory The door of the shed is blue.')
  const [kept] = (await b.store.days()).map(({ day }) => day)
  process.env['TZ'] = to
  const archive = fullArchive(b.store)
  expect(await archive.memoryDays()).toEqual([kept])
  expect((await readPath(archive, `memory/${kept}.md`, {}, 5_000)).text).toContain('shed is blue')
  const hits = await b.agent.search('shed blue')
  const hit = hits.find(({ path }) => path.startsWith('memory/'))
  expect(hit?.path).toBe(`memory/${kept}.md`)
  expect((await readPath(archive, hit?.path ?? '', {}, 5_000)).text).toContain('shed is blue')
})

it.each(places)('a path of an export from %s is read where it was imported in %s', async (from, to) => {
  process.env['TZ'] = from
  const world = stillWorld('a')
  const b = testAgent(['The door is blue.'], { world })
  const { id } = await b.agent.create('Doors')
  await sendAndSettle(b, id, 'Which colour has the door?')
  await b.agent.command(id, '/memory The door of the shed is blue.')
  const day = (await b.store.days())[0]!.day
  const lines = await exportLinesOf(b)
  process.env['TZ'] = to
  const there = testAgent([], { prefix: 'b' })
  await importLinesInto(there, lines)
  const archive = fullArchive(there.store)
  for (const path of [`dialog/${day}.jsonl`, `dialog/${id}/${day}.jsonl`, `memory/${day}.md`]) {
    const read = await readPath(archive, path, {}, 5_000)
    expect(read.text).toContain('blue')
    expect(
      read.path.endsWith(`${(await there.store.days())[0]!.day}.${path.startsWith('memory') ? 'md' : 'jsonl'}`),
    ).toBe(true)
  }
})

it('a day far from any that is kept is still nothing', async () => {
  const b = testAgent(['Hi.'])
  const { id } = await b.agent.create('A chat')
  await sendAndSettle(b, id, 'Hi')
  const archive = fullArchive(b.store)
  await expect(readPath(archive, `dialog/${dayOf(Date.UTC(2026, 0, 27, 12))}.jsonl`, {}, 5_000)).rejects.toMatchObject({
    code: 'not_found',
  })
})
