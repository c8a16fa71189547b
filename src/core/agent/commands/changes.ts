/** /compact, /undo, /redo, /stop, /new, /export: commands that do what a button does. */
import { AgentError } from '../../errors.ts'
import { storedSummary } from '../../log/query.ts'
import { isDay } from '../../text/day.ts'
import { compactSession, type CompactionResult } from '../use-cases/compacting.ts'
import { redo as redoSession, undo as undoSession, redoRefusal } from '../use-cases/editing.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import { noteTexts } from '../i18n/note-texts.ts'
import type { Command } from './command.ts'

export const compactCommand: Command = async ({ kit, work, session, text }) => {
  let done: CompactionResult = { messages: 0, before: 0, after: 0 }
  let unfollowed = false
  await work.runTask(
    session,
    async (session, signal) => {
      done = await compactSession(kit, session, signal, text)
      unfollowed = storedSummary(session.log)?.stats.unfollowed === true
      return statusFromLog(kit, session)
    },
    { alone: true },
  )
  if (done.nothing !== undefined) return { note: done.nothing, data: done }
  const said = noteTexts(kit).compacted(done.messages, done.before, done.after)
  return unfollowed
    ? { note: `${said} ${noteTexts(kit).unfollowed}`, data: { ...done, unfollowed } }
    : { note: said, data: done }
}

export const undoCommand: Command = async ({ kit, work, session }) => {
  const done = await work.withSession(session, session => undoSession(kit, session))
  return { note: done ? noteTexts(kit).undone(done) : noteTexts(kit).nothingToUndo, data: { ...done } }
}

export const redoCommand: Command = async ({ kit, work, session }) => {
  const done = await work.withSession(session, session => redoSession(kit, session))
  return {
    note: done ? noteTexts(kit).redone(done) : redoRefusal(kit, (await kit.session(session)).log),
    data: { ...done },
  }
}

export const stopCommand: Command = async ({ api, work, session, texts, kit }) => {
  const running = work.isRunning(session) || kit.status(session) !== undefined
  await api.stop(session)
  return { note: running ? texts.stopped : texts.notRunning }
}

/** The page begins the chat itself, at once; what stays here is a note. */
export const newChatCommand: Command = async ({ text, texts, kit }) => ({
  note: texts.newChat(text === '' ? kit.untitled : text),
})

export const exportCommand: Command = async ({ api, text, texts, session }) => {
  const [what = 'session', day = ''] = text
    .toLowerCase()
    .split(/\s+/)
    .filter(part => part !== '')
  if (what === 'session') return { note: texts.exporting.session, reply: { export: { kind: 'session', session } } }
  if (what === 'all') return { note: texts.exporting.all, reply: { export: { kind: 'all' } } }
  if (what !== 'day' || !isDay(day)) throw new AgentError('bad_input', texts.exportUsage)
  if (!(await api.days()).some(known => known.day === day)) throw new AgentError('not_found', texts.exportNoDay(day))
  return { note: texts.exporting.day(day), reply: { export: { kind: 'day', day } } }
}
