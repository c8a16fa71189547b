/** The context pipeline: runs the steps of one moment and completes the entries they add. */
import { AgentError } from '../errors.ts'
import type { Entry, Log } from '../log/entry.ts'
import type { EntryDraft, Step, StepEnv } from './strategy.ts'

/**
 * Runs the steps in order, each on the log grown by the ones before, and answers with the new entries, complete and in
 * order, to be appended in one transaction. Stores nothing and changes nothing. Throws `stopped` when the signal fires,
 * and what a step throws.
 */
export async function runPipeline(log: Log, steps: readonly Step[], env: StepEnv): Promise<Entry[]> {
  const added: Entry[] = []
  let grown = log
  for (const step of steps) {
    if (env.signal.aborted) throw new AgentError('stopped', 'Stopped while the context was prepared')
    const entries = completeDrafts(await step(grown, env), grown, env)
    if (entries.length === 0) continue
    added.push(...entries)
    grown = [...grown, ...entries]
  }
  return added
}

/** Drafts as entries with ids, parents and time, as if appended to the log. A draft that brings its id keeps it. */
export function completeDrafts(drafts: readonly EntryDraft[], log: Log, env: Pick<StepEnv, 'newId' | 'now'>): Entry[] {
  let parent = log.at(-1)?.id ?? null
  return drafts.map(draft => {
    const id = draft.id ?? env.newId()
    const entry: Entry = { ...draft, id, parent, at: env.now() }
    parent = id
    return entry
  })
}
