/** /context, /context clear, /summary, /history: what the model sees. */
import { storedSummary } from '../../log/query.ts'
import { clearContext } from '../use-cases/editing.ts'
import { isolated } from '../../text/display/isolate.ts'
import { grouped, noteTexts } from '../i18n/note-texts.ts'
import type { Command } from './command.ts'
import { contextTexts, percentOf } from './context-texts.ts'
import { noteText } from './note-text.ts'

const zoneOrder = ['system', 'tools', 'summary', 'compactable', 'reserved', 'free'] as const

export const contextCommand: Command = async run => {
  if (run.text.toLowerCase() === 'clear') return clearContextCommand(run)
  const texts = contextTexts[run.language]
  const info = await run.api.context(run.session)
  const leaving = info.tiles.filter(tile => tile.zone === 'compactable')
  const [messages, tokens] = [
    leaving.reduce((sum, { count }) => sum + count, 0),
    leaving.reduce((sum, tile) => sum + tile.tokens, 0),
  ]
  return {
    note: noteText([
      ...texts.context(info),
      ...zoneOrder.map(
        zone => `- ${texts.zones[zone]}: ${grouped(info.zones[zone])} (${percentOf(info.zones[zone], info.window)})`,
      ),
      texts.largest,
      ...info.largest.map(
        tile =>
          `- ${texts.kinds[tile.kind]}${tile.label === '' ? '' : ` "${isolated(tile.label)}"`}: ${grouped(tile.tokens)}`,
      ),
      texts.withNext(info.next),
      ...(info.unmatched === true
        ? [texts.unmatched]
        : info.turnLimit === undefined && info.threshold !== undefined && info.next.messages === 0 && messages > 0
          ? [texts.atThreshold(messages, tokens)]
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

export const clearContextCommand: Command = async ({ runtime, tasks, session }) => {
  const messages = await tasks.withSession(session, session => clearContext(runtime, session))
  return {
    note: messages === undefined ? noteTexts(runtime).nothingToClear : noteTexts(runtime).cleared(messages),
    data: { messages: messages ?? 0 },
  }
}

export const summaryCommand: Command = async ({ runtime, session, language }) => {
  const texts = contextTexts[language]
  const { log } = await runtime.session(session)
  const found = storedSummary(log)
  return {
    note: found ? `${texts.summaryBy[found.by]}\n\n${found.text}` : texts.summaryNone,
  }
}

/** Messages shown without a number, and characters of each. */
const shown = 20
const firstCharacters = 100

export const historyCommand: Command = async ({ api, session, text, language }) => {
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
    return `${from + index + 1}. ${message.role} ${grouped(message.tokens)}: ${isolated(content)}`
  })
  const first = from === 0 && system ? [`0. system ${grouped(system.tokens)}`] : []
  return {
    note: [contextTexts[language].historyTitle(messages.length, total), ...first, ...lines].join('\n'),
    data: { messages: messages.length, total },
  }
}
