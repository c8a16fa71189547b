/**
 * What makes a request smaller where a server or a proxy takes fewer bytes (C5.6). Long texts only: the history is
 * never cut for it.
 */
import type { EntryDraft, Step } from '../strategy.ts'
import { shortenText } from '../view/shorten.ts'
import { shortenAnswered, unreadResults } from './overflow-steps.ts'

/** What a long text may show, one after the other. Unit: bytes. The first is that of the ladder of tokens. */
const sizes = [10_000, 3_000]

const answered =
  (limit: number): Step =>
  (log, env) => [...shortenAnswered(log, env, { limit, unit: 'bytes', headShare: 50 })]

const unread =
  (limit: number): Step =>
  (log, env) =>
    unreadResults(log)
      .map(fact => shortenText(log, env, fact, { limit, unit: 'bytes', headShare: 50 }, true))
      .filter((draft): draft is EntryDraft => draft !== undefined)

/** In order: what was answered before what is being answered, and each size before the next. */
export const byteLimitSteps: readonly Step[] = sizes.flatMap(limit => [answered(limit), unread(limit)])
