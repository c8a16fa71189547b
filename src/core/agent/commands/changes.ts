/** /compact, /undo, /redo, /stop, /new, /export: commands that do what a button does. */
import { AgentError } from '../../errors.ts'
import { storedSummary } from '../../log/query.ts'
import { isDay } from '../../text/day.ts'
import { compact as compactSession, type Compacted } from '../use-cases/compacting.ts'
import { redo as redoSession, undo as undoSession, whyNoRedo } from '../use-cases/editing.ts'
import { restingStatus } from '../lifecycle/status-from-log.ts'
import { wordsOf } from '../i18n/note-texts.ts'
import type { Command } from './command.ts'

export const compact: Command = async ({ kit, work, session, text }) => {
  let done: Compacted = { messages: 0, before: 0, after: 0 }
  let unfollowed = false
  await work.start(
    session,
    async (session, signal) => {
      done = await compactSession(kit, session, signal, text)
      unfollowed = storedSummary(session.log)?.stats.unfollowed === true
      return restingStatus(kit, session)
    },
    { alone: true },
  )
  if (done.nothing !== undefined) return { note: done.nothing, data: done }
  const said = wordsOf(kit).compacted(done.messages, done.before, done.after)
  return unfollowed
    ? { note: `${said} ${wordsOf(kit).unfollowed}`, data: { ...done, unfollowed } }
    : { note: said, data: done }
}

export const undo: Command = async ({ kit, work, session }) => {
  const done = await work.change(session, session => undoSession(kit, session))
  return { note: done ? wordsOf(kit).undone(done) : wordsOf(kit).nothingToUndo, data: { ...done } }
}

export const redo: Command = async ({ kit, work, session }) => {
  const done = await work.change(session, session => redoSession(kit, session))
  return {
    note: done ? wordsOf(kit).redone(done) : whyNoRedo(kit, (await kit.session(session)).log),
    data: { ...done },
  }
}

export const stop: Command = async ({ api, work, session, words, kit }) => {
  const running = work.isRunning(session) || kit.status(session) !== undefined
  await api.stop(session)
  return { note: running ? words.stopped : words.notRunning }
}

/** The page begins the chat itself, at once; what stays here is a note. */
export const newChat: Command = async ({ text, words, kit }) => ({
  note: words.newChat(text === '' ? kit.untitled : text),
})

export const exportChat: Command = async ({ api, text, words, session }) => {
  const [what = 'session', day = ''] = text
    .toLowerCase()
    .split(/\s+/)
    .filter(part => part !== '')
  if (what === 'session') return { note: words.exporting.session, reply: { export: { kind: 'session', session } } }
  if (what === 'all') return { note: words.exporting.all, reply: { export: { kind: 'all' } } }
  if (what !== 'day' || !isDay(day)) throw new AgentError('bad_input', words.exportUsage)
  if (!(await api.days()).some(known => known.day === day)) throw new AgentError('not_found', words.exportNoDay(day))
  return { note: words.exporting.day(day), reply: { export: { kind: 'day', day } } }
}
