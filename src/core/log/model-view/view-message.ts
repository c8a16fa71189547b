/** The message that is sent for one fact, after the edits on it. The same fact and edits give the same object. Pure. */
import { excerpt, shownBytes, shownText, wholeNotice, type Excerpt, type ExcerptLimits } from '../../text/excerpt.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { shortenArguments } from './shorten-arguments.ts'
import { isCutOff } from '../answer-parts.ts'
import { tombstoneText } from './view-texts.ts'
import { hugeShown, isHuge } from '../huge.ts'
import { pathOf } from '../paths.ts'
import type { EditEntry, FactEntry, Id } from '../entry.ts'
import type { Message, ReasoningDetails, ToolCall } from '../message.ts'

/** `omitted` is in the unit of the limit; of a huge text whose code points were not counted, in bytes. */
export type ShortenedInfo = { bytes: number; omitted: number; startLine: number; path: string }

export type ViewMessage = {
  readonly message: Message
  /** The fact, or the summary's own entry; null for an error result that stands for a missing one. */
  readonly entry: Id | null
  readonly kind: 'summary' | 'fact' | 'missing'
  readonly shortened?: ShortenedInfo
  /**
   * What came with an answer and may go back (`reasoning-back.ts`). Details only of an answer that is sent as it came.
   */
  readonly reasoning?: { readonly text?: string; readonly details?: ReasoningDetails }
  /** A person pinned it. */
  readonly pinned: boolean
  /** Sent although a cut hides the facts around it: a pin, a pin's partner, or the question that is being answered. */
  readonly behindCut?: true
  /** An answer that came with a file. */
  readonly imported?: true
  /** An incomplete answer: the next one continues it. */
  readonly cutOff?: true
  /** Its text was removed. */
  readonly gone?: true
  /** Place 'first question': what stands in front of this user text. */
  readonly summary?: { readonly entry: Id; readonly content: string }
}

/** What the edits say about one fact. Absent: nothing. */
export type EditEffect = {
  text?: ExcerptLimits
  arguments?: ExcerptLimits
  /** Only these calls are sent; an empty set: none, the text alone. */
  calls?: ReadonlySet<string>
  pinned?: true
  behindCut?: true
  /** The result of a page tool: it says how to read it again also when it is whole (C5.1). */
  readOnLine?: true
}

/** What an edit leaves of the text that it shortens. */
export function limitsOf({ keep, unit, headShare, reason }: EditEntry & { type: 'shorten' }): ExcerptLimits {
  const replaced = reason === 'repeated' || reason === 'edited' ? reason : undefined
  return { limit: keep, unit, headShare, ...(replaced !== undefined && { replaced }) }
}

/** The message of a fact, or null for an answer that has neither text nor calls left. */
export function viewMessage(fact: FactEntry, effect?: EditEffect): ViewMessage | null {
  if (!effect) {
    const known = plain.get(fact)
    if (known !== undefined) return known
    const made = make(fact, {})
    plain.set(fact, made)
    return made
  }
  let variants = changed.get(fact)
  if (!variants) changed.set(fact, (variants = new Map()))
  const key = keyOf(effect)
  const known = variants.get(key)
  if (known !== undefined) return known
  if (variants.size >= VARIANTS) variants.clear()
  const made = make(fact, effect)
  variants.set(key, made)
  return made
}

const plain = new WeakMap<FactEntry, ViewMessage | null>()
const changed = new WeakMap<FactEntry, Map<string, ViewMessage | null>>()
/** A preview of another strategy makes a few forms of a fact; more than this are old ones. */
const VARIANTS = 8

function keyOf(effect: EditEffect): string {
  return JSON.stringify([
    effect.text,
    effect.arguments,
    effect.calls && [...effect.calls],
    effect.pinned,
    effect.behindCut,
    effect.readOnLine,
  ])
}

function make(fact: FactEntry, effect: EditEffect): ViewMessage | null {
  const shown = shownTextOf(fact, effect)
  const common = {
    entry: fact.id,
    kind: 'fact',
    pinned: effect.pinned === true,
    ...(effect.behindCut ? { behindCut: true as const } : {}),
    ...(shown.shortened ? { shortened: shown.shortened } : {}),
  } as const
  switch (fact.type) {
    case 'user': {
      const images = (fact.attachments ?? []).flatMap(({ mime, blob }) =>
        blob !== undefined && mime.startsWith('image/') ? [{ mime, blob }] : [],
      )
      return { ...common, message: { role: 'user', content: shown.text, ...(images.length > 0 ? { images } : {}) } }
    }
    case 'result':
      return {
        ...common,
        message: {
          role: 'tool',
          content: shown.text,
          toolCallId: fact.callId,
          name: fact.tool,
          ...(fact.isError ? { isError: true } : {}),
        },
      }
    case 'assistant': {
      const calls = callsOf(fact.calls, effect, fact)
      if (shown.text === '' && calls.calls.length === 0) return null
      const shortened = shown.shortened ?? calls.shortened
      return {
        ...common,
        ...(shortened ? { shortened } : {}),
        ...(fact.imported ? { imported: true } : {}),
        ...(fact.gone ? { gone: true } : isCutOff(fact) ? { cutOff: true } : {}),
        ...thoughtsOf(fact, shortened === undefined && calls.calls.length === fact.calls.length),
        message: {
          role: 'assistant',
          content: shown.text,
          ...(calls.calls.length > 0 ? { toolCalls: calls.calls } : {}),
        },
      }
    }
    default:
      return fact satisfies never
  }
}

function thoughtsOf(
  { reasoning, details, gone }: FactEntry & { type: 'assistant' },
  isWhole: boolean,
): Pick<ViewMessage, 'reasoning'> {
  const mayGoBack = isWhole && gone === undefined && details !== undefined
  if (reasoning === undefined && !mayGoBack) return {}
  return { reasoning: { ...(reasoning === undefined ? {} : { text: reasoning }), ...(mayGoBack ? { details } : {}) } }
}

/** An answer without some of its calls is not the one that its details were made for. */
export function withoutDetails(view: ViewMessage): ViewMessage {
  const { reasoning, ...rest } = view
  return reasoning?.details === undefined
    ? view
    : { ...rest, ...(reasoning.text === undefined ? {} : { reasoning: { text: reasoning.text } }) }
}

/** Where a fact's text can be read whole. */
export function textPath(fact: FactEntry): string {
  const kind = fact.type === 'result' ? 'tool_result' : fact.type === 'user' ? 'user_text' : 'answer'
  return pathOf({ kind, id: fact.id })
}

/** How a fact's text comes out of these limits, with the rule for huge texts (C3.7). */
export function excerptOfFact(fact: FactEntry, limits?: ExcerptLimits): Excerpt {
  const beyond = fact.rest ? { tail: fact.tail ?? '', ...fact.rest } : undefined
  const huge = beyond !== undefined || isHuge(fact.text)
  if (!limits) return huge ? excerpt(fact.text, hugeShown, beyond) : { whole: true }
  const cut = excerpt(fact.text, limits, beyond)
  return huge && shownBytes(cut, Infinity) > hugeShown.limit ? excerpt(fact.text, hugeShown, beyond) : cut
}

function shownTextOf(fact: FactEntry, effect: EditEffect): { text: string; shortened?: ShortenedInfo } {
  if (fact.gone) return { text: tombstoneText(fact.gone) }
  const cut = excerptOfFact(fact, effect.text)
  const path = textPath(fact)
  if (cut.whole) return { text: effect.readOnLine ? fact.text + wholeNotice(fact.text, path) : fact.text }
  return {
    text: shownText(cut, path),
    shortened: { bytes: cut.bytes, omitted: cut.omitted, startLine: cut.startLine, path },
  }
}

function callsOf(
  all: readonly ToolCall[],
  effect: EditEffect,
  fact: FactEntry,
): { calls: readonly ToolCall[]; shortened?: ShortenedInfo } {
  const { calls: wanted, arguments: limits } = effect
  let calls = wanted ? all.filter(call => wanted.has(call.id)) : all
  if (calls.length === 0) return { calls }
  if (fact.gone) return { calls: calls.map(call => (call.arguments === '' ? { ...call, arguments: '{}' } : call)) }
  if (!limits) return { calls }
  const path = pathOf({ kind: 'call', id: fact.id })
  let omitted = 0
  const whole = calls
  calls = calls.map(call => {
    const shorter = shortenArguments(call.arguments, limits, path)
    omitted += shorter.omitted
    return shorter.omitted > 0 ? { ...call, arguments: shorter.text } : call
  })
  if (omitted === 0) return { calls: whole }
  return {
    calls,
    shortened: { bytes: whole.reduce((sum, call) => sum + utf8Bytes(call.arguments), 0), omitted, startLine: 1, path },
  }
}
