/** Whether a failed call was refused for its length, and what the refusal says of it. */
import type { Verdict } from '../../context/overflow/verdict.ts'
import type { AgentError, Code } from '../../errors.ts'

/** Codes under which a provider may have said "too long". */
const mayBeOverflow: ReadonlySet<Code> = new Set<Code>([
  'model_overflow',
  'model_too_large',
  'model_output_cap',
  'model_refused',
  'model_server',
  'model_protocol',
  'unknown',
])

/**
 * What the refusal means, if it is about length; undefined for any other fault. `estimate`: our count of the request,
 * asked for only where it is needed; `window`: the assumed one; both tokens.
 */
export async function refusalVerdict(
  error: AgentError,
  { estimate, window }: { estimate: () => number; window: number },
): Promise<Verdict | undefined> {
  if (!mayBeOverflow.has(error.code)) return undefined
  const { classify, isOverflow } = await import('../../context/overflow/overflow.ts') // its many texts are needed by few
  const { status, body, server, limit, actual, kind } = error.data
  const verdict = classify({
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof server === 'string' ? { provider: server } : {}),
    ...(body === undefined ? { thrown: error.cause ?? error } : { body }),
    estimate: estimate(),
    window,
  })
  if (
    isOverflow(verdict.kind) ||
    verdict.kind === 'output_cap' ||
    verdict.kind === 'tpm_single_request' ||
    verdict.characters !== undefined
  )
    return verdict
  if (error.code === 'model_output_cap') return { kind: 'output_cap' }
  if (error.code !== 'model_overflow') return undefined
  // The adapter knows it without the message: from a typed error of an engine, or a finish reason.
  return {
    kind: kind === 'overflow_total' ? 'overflow_total' : 'overflow_prompt',
    ...(typeof limit === 'number' ? { limit, structured: true as const } : {}),
    ...(typeof actual === 'number' ? { actual } : {}),
  }
}
