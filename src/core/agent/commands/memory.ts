/** /search and /memory: what is kept beyond this chat. */
import { AgentError } from '../../errors.ts'
import { dayOf } from '../../text/day.ts'
import { readPath } from '../read-path.ts'
import type { Command } from './command.ts'

/** Hits shown in a note. */
const mostHits = 10
/** Bytes of today's memory shown in a note. */
const mostMemory = 20_000

export const search: Command = async ({ api, text, words }) => {
  if (text === '') throw new AgentError('bad_input', words.searchEmpty)
  const hits = await api.search(text)
  if (hits.length === 0) return { note: words.searchNone(text) }
  const lines = hits.slice(0, mostHits).map((hit, index) => {
    const place = hit.path === '' ? '' : `${hit.path}:${hit.from}${hit.to === hit.from ? '' : `-${hit.to}`} `
    return `${index + 1}. ${place}(${[hit.title, dayOf(hit.at)].filter(part => part !== '').join(', ')})\n${hit.text}`
  })
  return { note: lines.join('\n\n'), data: { hits: hits.length } }
}

export const memory: Command = async ({ kit, work, session, text, words }) => {
  if (text !== '') {
    await work.change(session, session => session.append([{ type: 'memory', text }]))
    return { note: words.memoryAdded }
  }
  try {
    const { text } = await readPath(kit.parts.store, `memory/${dayOf(kit.parts.world.now())}.md`, {}, mostMemory)
    return { note: text }
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'not_found') return { note: words.memoryNone }
    throw thrown
  }
}
