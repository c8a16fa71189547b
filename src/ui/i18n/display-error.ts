/** Errors as the person reads them. Pure. */
import type { Code } from '../../core/errors.ts'
import type { EngineProblem } from '../../core/ports/local-engine.ts'
import { isolated } from '../../core/text/display/isolate.ts'
import { texts } from './texts.ts'

/** An error or a note of one, as it comes from the worker. */
export type DisplayError = { code: Code; message: string; data?: Readonly<Record<string, unknown>> | undefined }

/** What an engine of this device failed at. */
export const toDisplayError = ({ code, message, reason }: EngineProblem): DisplayError => ({
  code,
  message,
  data: { reason },
})

/** A missing part of the app does not mean that there is a new version if the device is offline. */
export function adjustedForOffline<T extends DisplayError>(wrong: T, online: boolean): DisplayError {
  return wrong.code === 'new_version' && !online ? { code: 'network', message: texts().app.partOffline } : wrong
}

/** Four words of Latin letters in a row: not a name or a number, but a sentence. */
const englishSentence = /[a-z][a-z'’-]*(?:[ ,:;]+[a-z][a-z'’-]*){3}/i

/**
 * The text for the person, and the original one where they differ: messages come in English, parts of them from
 * servers. A message that is in the person's language already stays as it is.
 */
export function explainError({ code, message, data }: DisplayError): { text: string; original?: string } {
  const sentence = englishSentence.test(message) ? texts().explain(code, data ?? {}) : undefined
  return sentence === undefined ? { text: isolated(message) } : { text: sentence, original: message }
}

/** What of an error's data has a name for the person, in their words. */
export function errorDetails({ data }: DisplayError): [string, string | number][] {
  const names: Readonly<Record<string, string>> = texts().app.errorFacts
  return Object.entries(data ?? {}).flatMap(([key, value]): [string, string | number][] => {
    const name = names[key]
    return name !== undefined && (typeof value === 'number' || (typeof value === 'string' && value.length < 200))
      ? [[name, value]]
      : []
  })
}
