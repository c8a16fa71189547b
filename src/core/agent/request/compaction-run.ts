/** A compaction that was asked for, by a person or by the agent (C5.4, C5.8). */
import { runPipeline } from '../../context/run-pipeline.ts'
import { compactNow } from '../../context/steps/compact.ts'
import type { StepEnv, Strategy } from '../../context/strategy.ts'
import type { Entry, Log } from '../../log/entry.ts'
import { localizeNotes } from '../i18n/localize-notes.ts'

type NoteEntry = Extract<Entry, { type: 'note' }>
/** Entries to append in one transaction; `why`: the note among them that says why nothing was compacted. */
export type CompactionRun = {
  added: readonly Entry[]
  summary: Extract<Entry, { type: 'summary' }> | undefined
  why: NoteEntry | undefined
}

/** Notes of a step that found nothing to compact. */
const nothingCodes: ReadonlySet<string> = new Set(['compact_nothing', 'compact_no_gain'])

/**
 * Works out a compaction whatever the size is; `env` is forced, `keep`: tokens of the newest messages that stay.
 * Appends nothing. Throws `stopped`.
 */
export async function runCompaction(
  log: Log,
  strategy: Pick<Strategy, 'summaryPlace' | 'memoryNotes'>,
  env: StepEnv,
  keep = 0,
): Promise<CompactionRun> {
  const added = localizeNotes(await runPipeline(log, [compactNow(strategy, keep)], env), env.language)
  const summary = added.find(entry => entry.type === 'summary')
  const why = summary
    ? undefined
    : added.find((entry): entry is NoteEntry => entry.type === 'note' && nothingCodes.has(entry.code))
  return { added, summary, why }
}
