/** What a model of a server turned out to refuse or to do, and what a refusal teaches of it. */
import { AgentError } from '../../core/errors.ts'
import type { ModelRequest, ReasoningDetails } from '../../core/log/message.ts'
import { knownQuirks, type KnownQuirks } from './known-quirks.ts'
import { nextGrade, quirkIn, refusesDetails, wantsReasoning, type Quirk } from './quirks.ts'
import { imageLimitsFrom, type ImageLimits, type SentImages } from './sent-images.ts'

export type ModelKnowledge = KnownQuirks & {
  beginsInThought: boolean
  bufferedByProxy: boolean
  imageLimits: ImageLimits
}

/** Of this thread, by address and name. */
const modelState = new Map<string, ModelKnowledge>()

/** What is known of a model in this thread; begins with what is preset for the address. */
export function modelKnowledge(baseUrl: string, name: string): ModelKnowledge {
  const key = `${baseUrl} ${name}`
  const known: ModelKnowledge =
    modelState.get(key) ??
    Object.assign(knownQuirks(baseUrl, name), { beginsInThought: false, bufferedByProxy: false, imageLimits: {} })
  modelState.set(key, known)
  return known
}

/** Resets what was learnt, as a reload does. For tests. */
export function resetRemoteState(): void {
  modelState.clear()
}

/**
 * What a refusal teaches: `again` sends the same request in another way; for `rebuild` other messages have to go back
 * with it, which who asks must make and count (`askAgain`). undefined: nothing new. Each time something is known that
 * was not before, and there is only so much to know, so this ends.
 */
export function learnFrom(
  error: AgentError,
  {
    request: { messages, effort, temperature },
    sent,
    pictures,
    known,
  }: {
    request: ModelRequest
    sent: ModelRequest
    pictures: { images: SentImages; limits: ImageLimits }
    known: ModelKnowledge
  },
): 'again' | 'rebuild' | undefined {
  const { data } = error
  const lesson = known.quirks.has('no images') ? undefined : imageLimitsFrom(error, sent, pictures.images)
  if (lesson === 'none') known.add('no images')
  else if (lesson) {
    pictures.limits = { ...pictures.limits, ...lesson }
    // while the app runs; that this request had no room for any says nothing of others
    if (lesson.chars !== 0) known.imageLimits = pictures.limits
  }
  if (lesson) return 'again'
  const status = data['status'] as number | undefined
  const text = String(data['body'] ?? '')
  if (refusesDetails(status, text)) {
    // Those of earlier turns first: the running one goes on best with its own.
    const details = (from: number, to?: number): ReasoningDetails[] =>
      messages
        .slice(from, to)
        .flatMap(message => (message.role === 'assistant' && message.details ? [message.details] : []))
    const question = messages.findLastIndex(({ role }) => role === 'user')
    const earlier = details(0, question)
    const refused = earlier.length > 0 ? earlier : details(question)
    if (refused.length > 0) {
      known.refuse(refused)
      return 'rebuild'
    }
  }
  const notSent: Quirk[] = [
    ...(effort === undefined ? (['no effort', 'no effort off'] as const) : []),
    ...(effort === undefined || effort === 'off' ? [] : (['no effort off'] as const)),
    ...(temperature === undefined ? (['no temperature'] as const) : []),
  ]
  const quirk = quirkIn(status, text, new Set([...known.quirks, ...notSent]))
  if (quirk) {
    known.add(quirk)
    return 'again'
  }
  if (!wantsReasoning(status, text) || known.quirks.has('no reasoning')) return undefined
  if (
    !known.quirks.has('no empty reasoning') &&
    messages.some(message => message.role === 'assistant' && message.reasoning === '')
  ) {
    known.add('no empty reasoning')
    return 'again'
  }
  const grade = nextGrade(known.back.text, messages)
  if (grade) known.raise(grade)
  return grade && 'rebuild'
}

/** A refusal that speaks of tools in words that no table knows: it may take the same request without them. */
export function mayBeTools({ code, data }: AgentError, { tools }: ModelRequest, known: ModelKnowledge): boolean {
  const status = Number(data['status'])
  return (
    (code === 'model_refused' || code === 'model_server') &&
    [400, 404, 415, 422, 500, 501].includes(status) &&
    tools.length > 0 &&
    !known.quirks.has('no tools') &&
    /tool|function[ _-]?call/i.test(String(data['body'] ?? ''))
  )
}
