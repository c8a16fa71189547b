/** /search and /memory: what is kept beyond this chat. */
import { AgentError } from '../../errors.ts'
import { dayOf } from '../../text/day.ts'
import { isolated } from '../../text/display/isolate.ts'
import { readPath } from '../archive/read-path.ts'
import { fullArchive } from '../archive/readable-archive.ts'
import type { Command } from './command.ts'
import { memoryCommandTexts } from './memory-command-texts.ts'

/** Hits shown in a note. */
const mostHits = 10
/** Bytes of today's memory shown in a note. */
const mostMemory = 20_000

export const searchCommand: Command = async ({ api, text, language }) => {
  const texts = memoryCommandTexts[language]
  if (text === '') throw new AgentError('bad_input', texts.searchEmpty)
  const hits = await api.search(text)
  if (hits.length === 0) return { note: texts.searchNone(text) }
  const lines = hits.slice(0, mostHits).map((hit, index) => {
    const place = hit.path === '' ? '' : `${hit.path}:${hit.from}${hit.to === hit.from ? '' : `-${hit.to}`} `
    return `${index + 1}. ${isolated(place)}(${[isolated(hit.title), dayOf(hit.at)].filter(part => part !== '').join(', ')})\n${hit.text}`
  })
  const more = hits.length > mostHits ? [texts.searchMore(hits.length - mostHits)] : []
  return { note: [...lines, ...more].join('\n\n'), data: { hits: hits.length } }
}

/** Lines of a proposal shown in a note; the memory page shows all. */
const mostDiff = 40

export const memoryCommand: Command = async ({ runtime, tasks, api, session, text, language }) => {
  const texts = memoryCommandTexts[language]
  const dream = /^dream(?:\s+(\d{1,4}))?$/i.exec(text)
  if (dream) {
    const proposal = await api.dream(dream[1] === undefined ? undefined : Math.max(1, Number(dream[1])), session)
    if (!proposal) return { note: texts.dreamNothing }
    const diff = (await runtime.deps.diffLines(proposal.before, proposal.text)).filter(
      ({ kind, text }) => kind !== 'same' && text.trim() !== '',
    )
    const lines = diff
      .slice(0, mostDiff)
      .map(({ kind, text }) => `${kind === 'new' ? '+' : '-'} ${text.replaceAll('```', '` ` `')}`)
    const more = diff.length > mostDiff ? [`… ${diff.length - mostDiff}`] : []
    const said = texts.dreamProposal(proposal.days.length, proposal.by, proposal.model)
    return {
      note: `${said}\n\n\`\`\`diff\n${[...lines, ...more].join('\n')}\n\`\`\``,
      data: { proposal: diff.length },
      reply: { memory: true },
    }
  }
  if (text !== '') {
    await tasks.withSession(session, session => session.append([{ type: 'memory', text }]))
    runtime.emit({ type: 'memory' })
    return { note: texts.memoryAdded }
  }
  try {
    const today = `memory/${dayOf(runtime.deps.world.now())}.md`
    const { path, text } = await readPath(fullArchive(runtime.deps.store), today, {}, mostMemory)
    return { note: path === today ? text : texts.memoryNone }
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'not_found') return { note: texts.memoryNone }
    throw thrown
  }
}
