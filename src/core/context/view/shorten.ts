/** Shortening of texts: a new edit only where it shows less than is shown now (C3.5). Pure. */
import { codePoints, utf8Bytes } from '../../text/bytes.ts'
import { sentBytes, shownBytes, type ExcerptLimits } from '../../text/excerpt.ts'
import type { FactEntry, Log, ShortenReason } from '../../log/entry.ts'
import { pathOf } from '../../log/paths.ts'
import { shortenArguments } from '../../log/model-view/shorten-arguments.ts'
import { excerptOfFact, limitsOf, textPath } from '../../log/model-view/view-message.ts'
import { shortenKey, editState, wasUndone, type ShortenEdit } from './edit-state.ts'
import type { EntryDraft, StepEnv } from '../strategy.ts'

/**
 * The edit that shows at most `limits` of a fact's text, or undefined where that changes nothing or may not be. In an
 * `emergency` also what was undone, but nothing that would save no bytes (C5.6).
 */
export function shortenText(
  log: Log,
  env: StepEnv,
  fact: FactEntry,
  limits: ExcerptLimits & { reason?: ShortenReason },
  emergency = false,
): EntryDraft | undefined {
  if (isWithin(fact, limits) || fact.gone !== undefined) return undefined
  const { pinned, shortened } = editState(log)
  if (pinned.has(fact.id)) return undefined
  const now = shortened.get(shortenKey(fact.id))
  if (now !== undefined && isNoLarger(now, limits)) return undefined
  const bytes = fact.rest?.bytes ?? bytesOf(fact)
  const [cut, before] = [excerptOfFact(fact, limits), excerptOfFact(fact, now && limitsOf(now))]
  if (shownBytes(cut, bytes) >= shownBytes(before, bytes)) return undefined
  // The notice that stands in place of what is left out may be longer than that: then it is no gain.
  const path = textPath(fact)
  if (emergency && sentBytes(cut, bytes, path) >= sentBytes(before, bytes, path)) return undefined
  const edit = {
    type: 'shorten',
    group: env.group,
    target: fact.id,
    keep: limits.limit,
    unit: limits.unit,
    headShare: limits.headShare,
    path,
    ...(limits.reason !== undefined && { reason: limits.reason }),
  } as const
  return !emergency && wasUndone(log, edit) ? undefined : edit
}

/**
 * The edit that excerpts the long strings in the arguments of an answer's calls; the JSON stays valid. Undefined where
 * that saves no bytes. Only for the overflow fallback.
 */
export function shortenCalls(log: Log, env: StepEnv, fact: FactEntry, limits: ExcerptLimits): EntryDraft | undefined {
  if (fact.type !== 'assistant' || fact.gone !== undefined || editState(log).pinned.has(fact.id)) return undefined
  const now = editState(log).shortened.get(shortenKey(fact.id, 'arguments'))
  if (now !== undefined && isNoLarger(now, limits)) return undefined
  const path = pathOf({ kind: 'call', id: fact.id })
  const sent = (asShown: ExcerptLimits | undefined): number =>
    fact.calls.reduce(
      (sum, call) =>
        sum + utf8Bytes(asShown === undefined ? call.arguments : shortenArguments(call.arguments, asShown, path).text),
      0,
    )
  if (!hasLongArguments(fact, limits) || sent(limits) >= sent(now && limitsOf(now))) return undefined
  return {
    type: 'shorten',
    group: env.group,
    target: fact.id,
    keep: limits.limit,
    unit: limits.unit,
    headShare: limits.headShare,
    path,
    part: 'arguments',
  }
}

/** Whether a string in the arguments of its calls is longer than the limit. */
export function hasLongArguments(fact: FactEntry, limits: ExcerptLimits): boolean {
  return (
    fact.type === 'assistant' &&
    fact.calls.some(
      call => call.arguments.length > limits.limit && shortenArguments(call.arguments, limits, '').omitted > 0,
    )
  )
}

function isNoLarger(now: ShortenEdit, limits: ExcerptLimits): boolean {
  return now.unit === limits.unit && now.headShare === limits.headShare && now.keep <= limits.limit
}

/**
 * Whether a fact's text is no longer than the limit. Decided without counting bytes for nearly every fact: a UTF-16
 * unit has at least one and at most three bytes.
 */
export function isWithin(fact: FactEntry, { limit, unit }: Pick<ExcerptLimits, 'limit' | 'unit'>): boolean {
  if (fact.rest !== undefined) return false
  if (unit === 'chars')
    return fact.text.length <= limit || (fact.text.length <= limit * 2 && codePoints(fact.text) <= limit)
  return fact.text.length * 3 <= limit || (fact.text.length <= limit && bytesOf(fact) <= limit)
}

const bytes = new WeakMap<FactEntry, number>()

function bytesOf(fact: FactEntry): number {
  const known = bytes.get(fact)
  if (known !== undefined) return known
  const counted = utf8Bytes(fact.text)
  bytes.set(fact, counted)
  return counted
}
