/** Each sample of each format, all the way: read, imported, imported again, and gone on with under every strategy. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sendAndSettle, testAgent } from '../agent/agent.fixture.ts'
import { importLinesInto } from '../agent/transfer/transfer.fixture.ts'
import { strategyNames } from '../context/strategy.ts'
import { chatFile, type ForeignApp } from '../log/file-format/foreign-export.ts'
import { FileOfChats, noFindings } from './file-of-chats.ts'
import { formats } from './formats.ts'
import { mergeChats } from './merge-chats.ts'
import { ourLines } from './our-lines.ts'
import { isReadable, readablePrograms } from './readable.ts'

const folder = join(import.meta.dirname, 'readers', 'samples')
const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.jsonl?$/.test(name) && !name.includes('shared_')) // that one only names chats
  .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  .flatMap(({ name, text }) => {
    const of = chatFile(text)?.of
    return of !== undefined && of !== 'haversack' && isReadable(of) ? [{ name, text, app: of }] : []
  })

function linesOf(app: ForeignApp, text: string): string[] {
  const file = new FileOfChats(app, text)
  const chats = [...file.push(text.slice(0, 1_000)), ...file.push(text.slice(1_000)), ...file.end()]
  return mergeChats(chats, noFindings()).flatMap(chat => ourLines(app, chat))
}

it('every format that is said to be read has a reader, and a sample', () => {
  expect(formats.map(({ app }) => app).toSorted()).toEqual([...readablePrograms].toSorted())
  expect([...new Set(samples.map(({ app }) => app))].toSorted()).toEqual([...readablePrograms].toSorted())
})

it.each(samples)('$name comes whole, once, and goes on under every strategy', async ({ app, text }) => {
  const lines = linesOf(app, text)
  const b = testAgent(Array.from({ length: 20 }, () => 'Yes.'))
  const report = await importLinesInto(b, lines)
  // what the person ran by hand in pi answers no call, and neither does one that ChatGPT lost
  expect(report.problems.filter(({ reason }) => !reason.includes('answers no call'))).toEqual([])
  expect(report.messages).toBeGreaterThan(0)
  expect(await importLinesInto(b, linesOf(app, text))).toMatchObject({ entries: 0, problems: [] })
  const id = report.sessions[0]!
  for (const strategy of strategyNames) {
    await b.agent.choose(id, { strategy })
    expect(await sendAndSettle(b, id, `And now? ${strategy}`), strategy).toEqual({ state: 'idle' })
  }
})
