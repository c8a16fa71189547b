/** Use cases of the timeline: the whole of it, and what one of its messages says. Reads only. */
import { boundaryOf, effectiveEdits, isFact, positions, storedSummary } from '../../log/query.ts'
import type { EditEntry, Entry, FactEntry, Id, Log, ShortenReason } from '../../log/entry.ts'
import { pendingSummaries } from '../../context/compaction/pending-summaries.ts'
import { requestSize } from '../../context/size/measure.ts'
import type { StepEnv } from '../../context/strategy.ts'
import { pathOf } from '../../log/paths.ts'
import { textPath } from '../../log/model-view/view-message.ts'
import { AgentError } from '../../errors.ts'
import type { AgentApi } from '../api/api.ts'
import type { TimelineMessage, TimelineReason } from '../api/timeline.ts'
import { setUpRequest } from '../request/request-setup.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { entryLabel, firstWords } from './entry-label.ts'
import {
  sendingOfFact,
  sentParts,
  speakerOfFact,
  summarisedAt,
  timelineEntries,
  timelineOf,
  unsentMessages,
  wholeTokens,
} from './timeline.ts'

/** Longest counting without a pause, so that other requests of the page are answered in between. Unit: ms. */
const countingMs = 20
/** As much of a message as a card shows. Unit: UTF-16 units. */
const longestWords = 240

export function timelines(runtime: AgentRuntime): Pick<AgentApi, 'timeline' | 'timelineMessage'> {
  return {
    timeline: async (id, keep) => {
      const session = await runtime.session(id)
      const { env, strategy } = await setUpRequest(runtime, session)
      const made = { env: env('onCall'), strategy, keep }
      await countUnsent(session.log, made.env)
      return timelineOf(session.log, made)
    },
    timelineMessage: async (id, at) => {
      const session = await runtime.session(id)
      const { env } = await setUpRequest(runtime, session)
      const entry = timelineEntries(session.log)[at]
      if (entry === undefined) throw new AgentError('not_found', `There is no message ${at} in this chat`)
      return describeMessage(session.log, entry, env('onCall'))
    },
  }
}

/** Counts in slices what no request has counted yet: after a restart that may be thousands of messages. */
async function countUnsent(log: Log, env: StepEnv): Promise<void> {
  let since = env.now()
  for (const fact of unsentMessages(log, env)) {
    wholeTokens(fact, env)
    if (env.now() - since < countingMs) continue
    await env.pause?.()
    since = env.now()
  }
}

/** What a person is told of one entry of the log, as the next request would have it. */
export function describeMessage(log: Log, entry: Entry, env: StepEnv): TimelineMessage {
  const { id, at } = entry
  const base = { entry: id, at, words: entryWords(entry) }
  if (!isFact(entry)) return { ...base, speaker: 'note', tokens: 0, sending: 'unsent', pinned: false }
  const part = sentParts(requestSize(log, env)).get(id)
  const sending = sendingOfFact(entry, part, summarisedAt(log).has(entry))
  return {
    ...base,
    speaker: speakerOfFact(entry),
    ...(entry.type === 'result' ? { name: entry.tool } : {}),
    tokens: part === undefined ? wholeTokens(entry, env) : part.tokens - part.summary,
    sending,
    pinned: part?.view.pinned === true,
    ...(sending === 'whole' ? {} : part === undefined ? hiddenBy(log, entry) : shortenedBy(log, entry)),
  }
}

function entryWords(entry: Entry): string {
  switch (entry.type) {
    case 'result':
    case 'note':
    case 'memory':
      return firstWords(entry.text, longestWords)
    case 'foreign':
      return firstWords(entry.raw, longestWords)
    default:
      return entryLabel(entry, longestWords)
  }
}

/** What keeps a fact out of the request. */
function hiddenBy(log: Log, fact: FactEntry): Pick<TimelineMessage, 'reason' | 'group' | 'summaryWaits'> {
  const standing = effectiveEdits(log)
  const own = positions(log, new Set([fact.id])).get(fact.id) ?? 0
  const cuts = standing.filter(edit => edit.type === 'cut' && boundaryOf(log, [edit]).from > own)
  const hiding = cuts.length > 0 ? cuts : standing.filter(edit => edit.type === 'strip')
  const newest = hiding.at(-1)
  if (newest === undefined) return {}
  const reason: TimelineReason = newest.type === 'cut' ? newest.reason : 'strip'
  const stored = storedSummary(log)
  const waits =
    pendingSummaries(log).some(({ id }) => id === newest.id) ||
    (stored?.of === newest.id && !summarisedAt(log).has(fact))
  return { reason, ...only(hiding), ...(waits ? { summaryWaits: true as const } : {}) }
}

/** What took a part of a fact that is sent. */
function shortenedBy(log: Log, fact: FactEntry): Pick<TimelineMessage, 'reason' | 'group' | 'path'> {
  if (fact.gone !== undefined) return { reason: 'removed' }
  const edits = effectiveEdits(log).filter(edit => edit.type === 'shorten' && edit.target === fact.id)
  const newest = edits.at(-1)
  if (newest?.type !== 'shorten') {
    const strips = effectiveEdits(log).filter(edit => edit.type === 'strip')
    const isHuge = fact.rest !== undefined
    return isHuge ? { reason: 'long', path: textPath(fact) } : { reason: 'strip', ...only(strips) }
  }
  const reason: ShortenReason | 'long' = newest.reason ?? 'long'
  const path = newest.part === 'arguments' ? pathOf({ kind: 'call', id: fact.id }) : textPath(fact)
  return { reason, path, ...only(edits) }
}

/** The act that these edits are of, if it is one. */
function only(edits: readonly EditEntry[]): { group?: Id } {
  const [first] = edits
  return first !== undefined && edits.every(({ group }) => group === first.group) ? { group: first.group } : {}
}
