/** Older results are shortened in one batch, by their worth, late and only for a large gain (C7.5 b). */
import type { FactEntry, ShortenReason } from '../../log/entry.ts'
import { unansweredResults } from '../../log/query.ts'
import { sizeWithDrafts } from '../compaction/cut-range.ts'
import { requestSize, type CountedMessage } from '../size/measure.ts'
import { isWithin, shortenText } from '../view/shorten.ts'
import type { Step, StepEnv } from '../strategy.ts'

export type ShortenOlderResults = {
  from: (env: StepEnv) => number // tokens of the request
  gain: (env: StepEnv) => number // tokens that it has to save
  whole: (env: StepEnv) => number // tokens: the newest messages, so many together, are left alone
  /** What a result shows, bytes, by why it is shortened. */
  keep: (env: StepEnv) => Readonly<Record<ShortenReason, number>>
}

type Result = CountedMessage & { fact: FactEntry & { type: 'result' } }
type Candidate = { result: Result; reason: ShortenReason | 'older' }

/**
 * From `from` tokens on, answered results show less, if all together save `gain`: those whose call was made again, and
 * behind the newest messages those of files that were changed since, and all others, of which more stays where the
 * model wrote names from them.
 */
export function shortenOlderResults({ from, gain, whole, keep }: ShortenOlderResults): Step {
  return async (log, env) => {
    const size = requestSize(log, env)
    if (size.total < from(env)) return []
    const kept = keep(env)
    const open = unansweredResults(log)
    const may = ({ fact }: Result, reason: Candidate['reason']): boolean =>
      !open.has(fact.id) && !isWithin(fact, { limit: kept[reason === 'older' ? 'unused' : reason], unit: 'bytes' })
    const candidates = (await candidatesIn(size.parts, whole(env))).filter(({ result, reason }) => may(result, reason))
    if (candidates.reduce((sum, { result }) => sum + result.tokens, 0) < gain(env)) return []
    const { namesWritten, namesFrom } = await import('../summary/names-used.ts')
    const written = namesWritten(size.parts.flatMap(({ fact }) => (fact?.type === 'assistant' ? [fact] : [])))
    const reasonOf = ({ result: { fact }, reason }: Candidate): ShortenReason =>
      reason !== 'older' ? reason : namesFrom(fact, written) >= leastNames ? 'used' : 'unused'
    const drafts = candidates.flatMap(candidate => {
      const reason = reasonOf(candidate)
      const limits = { limit: kept[reason], unit: 'bytes', headShare: 70, reason } as const
      return shortenText(log, env, candidate.result.fact, limits) ?? []
    })
    return drafts.length > 0 && size.total - sizeWithDrafts(log, drafts, env) >= gain(env) ? drafts : []
  }
}

/** A result counts as used where the model wrote so many of its names: one alone is often chance. */
const leastNames = 2

/** The results that may show less, oldest first. `whole`: so many tokens of the newest messages are passed over. */
async function candidatesIn(parts: readonly CountedMessage[], whole: number): Promise<Candidate[]> {
  const { callTexts } = await import('../summary/call-arguments.ts')
  const calls = new Map<string, { same: string; path: string | undefined; changes: boolean }>()
  for (const { fact } of parts) {
    if (fact?.type !== 'assistant') continue
    for (const call of fact.calls) {
      const texts = callTexts(call)
      calls.set(call.id, {
        same: `${call.name} ${call.arguments}`,
        path: texts.find(({ what }) => what === 'path')?.text,
        changes: texts.some(({ what }) => what === 'new text'),
      })
    }
  }
  const found: Candidate[] = []
  const repeated = new Set<string>()
  const changed = new Set<string>()
  let newer = 0
  for (const part of parts.toReversed()) {
    newer += part.tokens
    const isOlder = newer > whole
    if (!isResult(part) || part.behindCut) continue
    const call = calls.get(part.fact.callId)
    if (call !== undefined && repeated.has(call.same)) found.push({ result: part, reason: 'repeated' })
    else if (isOlder && call?.path !== undefined && !call.changes && changed.has(call.path))
      found.push({ result: part, reason: 'edited' })
    else if (isOlder) found.push({ result: part, reason: 'older' })
    if (call === undefined || part.fact.isError) continue
    repeated.add(call.same)
    if (call.changes && call.path !== undefined) changed.add(call.path)
  }
  return found.toReversed()
}

function isResult(part: CountedMessage): part is Result {
  return part.fact?.type === 'result'
}
