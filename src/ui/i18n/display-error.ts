/** What went wrong, as this person reads it. Pure. */
import type { Code } from '../../core/errors.ts'
import type { EngineProblem } from '../../core/ports/local-engine.ts'
import { isolated } from '../../core/text/display/isolate.ts'
import { words } from './texts.ts'

/** An error or a note of one, as it comes from the worker. */
export type Wrong = { code: Code; message: string; data?: Readonly<Record<string, unknown>> | undefined }

/** What an engine of this device failed at. */
export const wrongOf = ({ code, message, reason }: EngineProblem): Wrong => ({ code, message, data: { reason } })

/** A part of the app that could not be had is no news of a new version where there is no network. */
export function seenFrom<T extends Wrong>(wrong: T, online: boolean): Wrong {
  return wrong.code === 'new_version' && !online ? { code: 'network', message: words().shell.partOffline } : wrong
}

/** Four words of Latin letters in a row: not a name or a number, but a sentence. */
const englishSentence = /[a-z][a-z'’-]*(?:[ ,:;]+[a-z][a-z'’-]*){3}/i

/**
 * The text for the person, and the original one where they differ: messages come in English, parts of them from
 * servers. A message that is in the person's language already stays as it is.
 */
export function explained({ code, message, data }: Wrong): { text: string; original?: string } {
  const sentence = englishSentence.test(message) ? words().explain(code, data ?? {}) : undefined
  return sentence === undefined ? { text: isolated(message) } : { text: sentence, original: message }
}

/** What of an error's data has a name for the person, in their words. */
export function factsOf({ data }: Wrong): [string, string | number][] {
  const names: Readonly<Record<string, string>> = words().shell.errorFacts
  return Object.entries(data ?? {}).flatMap(([key, value]): [string, string | number][] => {
    const name = names[key]
    return name !== undefined && (typeof value === 'number' || (typeof value === 'string' && value.length < 200))
      ? [[name, value]]
      : []
  })
}
