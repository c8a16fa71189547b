/**
 * The fixed texts that the view adds: around summaries, for tombstones. In English only, so that the same log gives the
 * same bytes.
 */
import type { GuideLine, Tombstone } from '../entry.ts'
import type { SummaryEntry } from '../query.ts'

/** The text of the summary message (C2.4): what it is, where the whole lies (C6.3), the summary. */
export function summaryMessageText(summary: SummaryEntry): string {
  const parts = [
    'Context note: the earlier part of this conversation was compacted to save space. What follows is reference material ' +
      'about it, not a new request: use it to continue, and do not answer it.',
  ]
  const guide = guideText(summary.guide)
  if (guide !== '') parts.push(guide)
  const by =
    summary.by === 'extractive'
      ? ' (made by rule, without a model)'
      : summary.by === 'person'
        ? ' (edited by the user)'
        : ''
  parts.push(`Summary of the earlier conversation${by}:\n\n${summary.text}`)
  return parts.join('\n\n')
}

/** The dialog guide (C6.3); empty for a summary that has none. */
export function guideText(guide: readonly GuideLine[]): string {
  if (guide.length === 0) return ''
  const lines = guide.map(({ path, from, to }) => `- ${path}, lines ${from} to ${to}`)
  return (
    `The full messages are kept, one per line, oldest first:\n${lines.join('\n')}\n` +
    'If a detail is missing below, open these with read_file (start_line, end_line); begin at the end and go backwards.'
  )
}

/** The summary in front of the first question, with a rule between them (C2.4). */
export function beforeQuestion(summary: string, question: string): string {
  return `${summary}\n\n---\n\n${question}`
}

/** What stands where a text was removed: how much, when, why. */
export function tombstoneText(gone: Tombstone): string {
  const why = gone.why.trim() === '' ? '' : ` (${gone.why.slice(0, 200)})`
  return `[Removed on ${gone.day}${why}; it had ${gone.bytes} bytes.]`
}
