/** /context, /context clear, /summary, /history: what the model sees. */
import { storedSummary } from '../../log/query.ts'
import { clear } from '../use-cases/editing.ts'
import { isolated } from '../../text/display/isolate.ts'
import { n, wordsOf } from '../i18n/note-texts.ts'
import { percent } from './command-texts.ts'
import type { Command } from './command.ts'
import { noteText } from './note-text.ts'

const zoneOrder = ['system', 'tools', 'summary', 'compactable', 'reserved', 'free'] as const

export const context: Command = async run => {
  if (run.text.toLowerCase() === 'clear') return clearContext(run)
  const { words } = run
  const info = await run.api.context(run.session)
  const leaving = info.tiles.filter(tile => tile.zone === 'compactable')
  const [messages, tokens] = [
    leaving.reduce((sum, { count }) => sum + count, 0),
    leaving.reduce((sum, tile) => sum + tile.tokens, 0),
  ]
  return {
    note: noteText([
      ...words.context(info),
      ...zoneOrder.map(
        zone => `- ${words.zones[zone]}: ${n(info.zones[zone])} (${percent(info.zones[zone], info.window)})`,
      ),
      words.largest,
      ...info.largest.map(
        tile =>
          `- ${words.kinds[tile.kind]}${tile.label === '' ? '' : ` "${isolated(tile.label)}"`}: ${n(tile.tokens)}`,
      ),
      words.withNext(info.next),
      ...(info.unmatched === true
        ? [words.unmatched]
        : info.turnLimit === undefined && info.threshold !== undefined && info.next.messages === 0 && messages > 0
          ? [words.atThreshold(messages, tokens)]
          : []),
    ]),
    data: {
      total: info.total,
      window: info.window,
      threshold: info.threshold ?? null,
      ...info.zones,
      messages: info.messages,
      turns: info.turns,
    },
  }
}

export const clearContext: Command = async ({ kit, work, session }) => {
  const messages = await work.change(session, session => clear(kit, session))
  return {
    note: messages === undefined ? wordsOf(kit).nothingToClear : wordsOf(kit).cleared(messages),
    data: { messages: messages ?? 0 },
  }
}

export const summary: Command = async ({ kit, session, words }) => {
  const { log } = await kit.session(session)
  const found = storedSummary(log)
  return { note: found ? `${words.summaryBy[found.by]}\n\n${found.text}` : words.summaryNone }
}

/** Messages shown without a number, and characters of each. */
const shown = 20
const firstCharacters = 100

export const history: Command = async ({ api, session, words, text }) => {
  const view = await api.view(session)
  const system = view.find(({ role }) => role === 'system')
  const messages = view.filter(({ role }) => role !== 'system' && role !== 'tools')
  const most = /^\d+$/.test(text) ? Math.max(1, Number(text)) : shown
  const total = (await api.context(session)).total
  const from = Math.max(0, messages.length - most)
  const lines = messages.slice(from).map((message, index) => {
    const calls = message.toolCalls?.map(call => `${call.name}(${call.arguments})`).join(', ') ?? ''
    const content = [
      ...(message.content || calls)
        .slice(0, firstCharacters * 8)
        .replace(/\s+/g, ' ')
        .trim(),
    ]
      .slice(0, firstCharacters)
      .join('')
    return `${from + index + 1}. ${message.role} ${n(message.tokens)}: ${isolated(content)}`
  })
  const first = from === 0 && system ? [`0. system ${n(system.tokens)}`] : []
  return {
    note: [words.historyTitle(messages.length, total), ...first, ...lines].join('\n'),
    data: { messages: messages.length, total },
  }
}
