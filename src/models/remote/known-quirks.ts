/** The known quirks of a server's model: preset for documented providers, learnt from refusals, stored for a day. */
import type { ReasoningDetails } from '../../core/log/message.ts'
import { reasoningGrades, type ReasoningBack, type ReasoningGrade } from '../../core/log/model-view/reasoning-back.ts'
import { md5 } from '../shared/md5.ts'
import { allQuirks, type Quirk, type Quirks } from './quirks.ts'

/**
 * Providers whose documents say what they want back (read in November 2026). What they do not say is learnt.
 * DeepSeek and MiMo: of every turn with calls in all later requests; DeepSeek refuses an empty text. Kimi: of every
 * answer with calls. GLM: of the running turn, at its address for coding of every answer. MiniMax gives its details
 * only where they are asked for (`reasoning_split`).
 */
const providers: readonly { address: RegExp; reasoning?: ReasoningGrade; quirks?: readonly Quirk[] }[] = [
  { address: /^https:\/\/([\w-]+\.)*deepseek\.com\//, reasoning: 'turns with calls', quirks: ['no empty reasoning'] },
  { address: /^https:\/\/([\w-]+\.)*xiaomimimo\.com\//, reasoning: 'turns with calls' },
  { address: /^https:\/\/([\w-]+\.)*(moonshot\.(ai|cn)|kimi\.(ai|com))\//, reasoning: 'turns with calls' },
  { address: /^https:\/\/([\w-]+\.)*(z\.ai|bigmodel\.cn)\/api\/coding\//, reasoning: 'every answer' },
  { address: /^https:\/\/([\w-]+\.)*(z\.ai|bigmodel\.cn)\//, reasoning: 'running turn' },
]

/** As it is stored. */
export type StoredQuirks = { quirks: readonly Quirk[]; reasoning: ReasoningGrade }

export type KnownQuirks = {
  readonly quirks: Quirks
  /** Which reasoning is sent back; another object after each change, so that views are made again. */
  readonly back: ReasoningBack
  readonly stored: StoredQuirks
  add(quirk: Quirk): void
  /** The refusal had another cause. */
  drop(quirk: Quirk): void
  /** The least that is sent back from now on. */
  raise(grade: ReasoningGrade): void
  /** These are not sent again. */
  refuse(details: readonly ReasoningDetails[]): void
  /** What was learnt elsewhere: in another tab, or before a reload. */
  merge(stored: StoredQuirks | undefined): void
}

/** Begins with what is preset for the address. */
export function knownQuirks(baseUrl: string, model: string): KnownQuirks {
  const from = markOf(baseUrl, model)
  const preset = providers.find(({ address }) => address.test(`${baseUrl}/`))
  const quirks = new Set<Quirk>(preset?.quirks)
  const refused = new WeakSet<ReasoningDetails>() // in memory only: the fault is of one chat, not of the server
  let grade: ReasoningGrade = preset?.reasoning ?? 'nothing'
  let back: ReasoningBack
  const renew = (): void => {
    back = { text: quirks.has('no reasoning') ? 'nothing' : grade, from, refused }
  }
  renew()
  const raise = (next: ReasoningGrade): void => {
    if (reasoningGrades.indexOf(next) <= reasoningGrades.indexOf(grade)) return
    grade = next
    renew()
  }
  return {
    quirks,
    raise,
    get back() {
      return back
    },
    get stored() {
      return { quirks: [...quirks], reasoning: grade }
    },
    add(quirk) {
      quirks.add(quirk)
      if (quirk === 'no reasoning') renew()
    },
    drop(quirk) {
      quirks.delete(quirk)
    },
    refuse(details) {
      for (const one of details) refused.add(one)
      renew()
    },
    merge(kept) {
      if (!kept) return
      const news = kept.quirks.filter(quirk => !quirks.has(quirk))
      for (const quirk of news) quirks.add(quirk)
      if (news.includes('no reasoning')) renew()
      raise(kept.reasoning)
    },
  }
}

/** Of a provider and model, the same in every browser; it gives no address away, for exports carry it. */
function markOf(baseUrl: string, model: string): string {
  const sum = md5()
  sum.add(new TextEncoder().encode(`${baseUrl.replace(/\/+$/, '')} ${model}`))
  return sum.hex()
}

/**
 * How long what was learnt is kept beyond the app, ms: servers are changed, and to learn it again costs a few refusals.
 */
const keptFor = 24 * 3_600_000

type Stored = { baseUrl: string; models: Record<string, StoredQuirks & { at: number /* ms since epoch */ }> }

/**
 * What is stored of a model, of whatever shape the value is; nothing where the server had another address or it is old.
 */
export function readQuirks(
  value: unknown,
  { baseUrl, model, now }: { baseUrl: string; model: string; now: number /* ms */ },
): StoredQuirks | undefined {
  const stored = value as Partial<Stored> | undefined | null
  if (typeof stored !== 'object' || stored === null || stored.baseUrl !== baseUrl || typeof stored.models !== 'object')
    return undefined
  const found = Object.hasOwn(stored.models, model) ? stored.models[model] : undefined
  if (!found || !(now - found.at < keptFor) || !Array.isArray(found.quirks)) return undefined
  return {
    quirks: allQuirks.filter(quirk => found.quirks.includes(quirk)),
    reasoning: reasoningGrades.find(grade => grade === found.reasoning) ?? 'nothing',
  }
}

/** The value to store, with those of other models of the same server that are not old. */
export function withQuirks(
  value: unknown,
  { baseUrl, model, now, kept }: { baseUrl: string; model: string; now: number; kept: StoredQuirks },
): Stored {
  const stored = value as Partial<Stored> | undefined | null
  const before =
    typeof stored === 'object' && stored !== null && stored.baseUrl === baseUrl && typeof stored.models === 'object'
      ? Object.entries(stored.models)
      : []
  return {
    baseUrl,
    models: Object.fromEntries([
      ...before.filter(([name, { at }]) => name !== model && now - at < keptFor),
      [model, { ...kept, at: now }],
    ]),
  }
}
