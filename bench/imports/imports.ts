/**
 * How fast exports of other programs are looked through and become lines of ours, in how much memory, and whether
 * anything throws: `npm run --silent bench -- imports [MEGABYTES]` (C14, C16). The export is made up, and never held.
 */
import { performance } from 'node:perf_hooks'
import type { Bench } from '../shared/machine.ts'
import { BadUsage } from '../shared/bad-usage.ts'
import { lookAt } from '../../src/core/imports/look.ts'
import { noFindings } from '../../src/core/imports/file-of-chats.ts'
import { ourLines } from '../../src/core/imports/our-lines.ts'
import { chatsOf, type SourceFile } from '../../src/core/imports/read-export.ts'

/** Messages of a made-up chat; a real one has some dozens. */
const messages = 40
const words =
  'the oven was set to two hundred and twenty degrees before the dough had risen for the second time 面团 发酵 '.repeat(
    6,
  )

export const imports: Bench = async (size = '200') => {
  const megabytes = Number(size)
  if (!(megabytes > 0)) throw new BadUsage('imports [MEGABYTES]: how large the made-up export is, 200 by itself')
  const file = madeExport(megabytes * 1_000_000)
  const head = await file.head()
  const group = { of: 'chatgpt' as const, files: [{ file, head }], beside: [] }
  const looked = await timed(async () => (await lookAt('chatgpt', group)).chats.length)
  const made = await timed(async () => {
    let lines = 0
    for await (const chat of chatsOf('chatgpt', group, noFindings())) lines += ourLines('chatgpt', chat).length
    return lines
  })
  return {
    megabytes,
    chats: looked.value,
    lines: made.value,
    lookMegabytesPerSecond: Math.round(megabytes / looked.seconds),
    linesMegabytesPerSecond: Math.round(megabytes / made.seconds),
    peakMegabytes: Math.round(Math.max(looked.peak, made.peak)),
  }
}

/** The time of a task, and the largest memory that the process had in it, bytes as megabytes. */
async function timed<T>(task: () => Promise<T>): Promise<{ value: T; seconds: number; peak: number }> {
  let peak = 0
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss / 1_000_000)
  }, 50)
  const began = performance.now()
  const value = await task()
  clearInterval(look)
  return { value, seconds: (performance.now() - began) / 1_000, peak: Math.max(peak, process.memoryUsage().rss / 1e6) }
}

/** A ChatGPT export of about this many bytes, written while it is read. */
function madeExport(bytes: number): SourceFile {
  async function* text(): AsyncGenerator<string> {
    let written = 0
    for (let n = 0; written < bytes; n++) {
      const chat = `${n === 0 ? '[' : ','}${JSON.stringify(madeChat(n))}`
      written += Buffer.byteLength(chat)
      for (let at = 0; at < chat.length; at += 65_536) yield chat.slice(at, at + 65_536)
      if (n % 20 === 0) await new Promise(resolve => setImmediate(resolve)) // the clock of the memory looks
    }
    yield ']'
  }
  return {
    path: 'conversations.json',
    head: async () => `[${JSON.stringify(madeChat(0))}`,
    text,
    bytes: () => Promise.reject(new Error('It is never whole')),
  }
}

function madeChat(n: number): object {
  const node = (id: number) => ({
    id: `${n}-${id}`,
    parent: id === 0 ? null : `${n}-${id - 1}`,
    children: id === messages - 1 ? [] : [`${n}-${id + 1}`],
    message: {
      id: `${n}-${id}`,
      author: { role: id % 2 === 0 ? 'user' : 'assistant' },
      create_time: 1_700_000_000 + n * 100 + id,
      content: { content_type: 'text', parts: [`${n}-${id} ${words}`] },
      metadata: {},
    },
  })
  return {
    id: `chat-${n}`,
    conversation_id: `chat-${n}`,
    title: `Chat ${n}`,
    create_time: 1_700_000_000 + n * 100,
    update_time: 1_700_000_000 + n * 100 + messages,
    current_node: `${n}-${messages - 1}`,
    mapping: Object.fromEntries(Array.from({ length: messages }, (_, id) => [`${n}-${id}`, node(id)])),
  }
}
