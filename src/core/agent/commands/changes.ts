/** /compact, /undo, /redo, /stop, /new, /export: commands that do what a button does. */
import { AgentError } from '../../errors.ts'
import { storedSummary } from '../../log/query.ts'
import { isDay } from '../../text/day.ts'
import { compactSession, type CompactionResult } from '../use-cases/compacting.ts'
import { redo as redoSession, undo as undoSession, redoRefusal } from '../use-cases/editing.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import { noteTexts } from '../i18n/note-texts.ts'
import type { Command } from './command.ts'
import { changeTexts } from './change-texts.ts'

export const compactCommand: Command = async ({ runtime, tasks, session, text }) => {
  let done: CompactionResult = { messages: 0, before: 0, after: 0 }
  let unfollowed = false
  await tasks.runTask(
    session,
    async (session, signal) => {
      done = await compactSession(runtime, session, signal, { instruction: text })
      unfollowed = storedSummary(session.log)?.stats.unfollowed === true
      return statusFromLog(runtime, session)
    },
    { alone: true },
  )
  if (done.nothing !== undefined) return { note: done.nothing, data: done }
  const said = noteTexts(runtime).compacted(done.messages, done.before, done.after)
  return unfollowed
    ? { note: `${said} ${noteTexts(runtime).unfollowed}`, data: { ...done, unfollowed } }
    : { note: said, data: done }
}

export const undoCommand: Command = async ({ runtime, tasks, session }) => {
  const done = await tasks.withSession(session, session => undoSession(runtime, session))
  return { note: done ? noteTexts(runtime).undone(done) : noteTexts(runtime).nothingToUndo, data: { ...done } }
}

export const redoCommand: Command = async ({ runtime, tasks, session }) => {
  const done = await tasks.withSession(session, session => redoSession(runtime, session))
  return {
    note: done ? noteTexts(runtime).redone(done) : redoRefusal(runtime, (await runtime.session(session)).log),
    data: { ...done },
  }
}

export const stopCommand: Command = async ({ api, tasks, session, runtime, language }) => {
  const texts = changeTexts[language]
  const running = tasks.isRunning(session) || runtime.status(session) !== undefined
  await api.stop(session)
  return { note: running ? texts.stopped : texts.notRunning }
}

/** The page begins the chat itself, at once; what stays here is a note. */
export const newChatCommand: Command = async ({ text, runtime, language }) => ({
  note: changeTexts[language].newChat(text === '' ? runtime.untitled : text),
})

export const exportCommand: Command = async ({ api, text, session, language }) => {
  const texts = changeTexts[language]
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
