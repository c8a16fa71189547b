/** `npm run bench -- overflow [FILE]`: how well refusals of providers are told apart (C14). */
import { readFileSync } from 'node:fs'
import { classify, isOverflow } from '../../src/core/context/overflow/overflow.ts'
import type { ProviderRefusal, Verdict } from '../../src/core/context/overflow/verdict.ts'
import type { Bench } from '../shared/machine.ts'

type Case = {
  provider?: string | null
  status?: number | null
  body: string
  overflow: boolean
  kind: string
  limit?: number
  actual?: number
  maxOutput?: number
}
type Told = { kind: string; limit?: number; actual?: number; maxOutput?: number }

/** The cases that are part of the project. */
const own = new URL('../../src/core/context/overflow/overflow.cases.json', import.meta.url)

export const overflow: Bench = file => {
  const cases: unknown = JSON.parse(readFileSync(file ?? own, 'utf8'))
  if (!Array.isArray(cases)) throw new Error('the file is no list of cases')
  const score = {
    found: 0,
    overflows: 0,
    falseAlarms: 0,
    lookAlikes: 0,
    kindRight: 0,
    numbersRight: 0,
    wrong: [] as { index: number; expected: Told; got: Told }[],
  }
  for (const [index, one] of (cases as Case[]).entries()) {
    const verdict = classify(refusalOf(one))
    const alarmed = isOverflow(verdict.kind)
    if (one.overflow) {
      score.overflows++
      if (alarmed) score.found++
    } else {
      score.lookAlikes++
      if (alarmed) score.falseAlarms++
    }
    const kindRight = verdict.kind === one.kind
    const numbersRight =
      verdict.limit === one.limit && verdict.actual === one.actual && verdict.maxOutput === one.maxOutput
    if (kindRight) score.kindRight++
    if (numbersRight) score.numbersRight++
    if (!kindRight || !numbersRight || alarmed !== one.overflow)
      score.wrong.push({ index, expected: told(one), got: told(verdict) })
  }
  return score
}

/** A body that is an object with `name` and `message` is a thrown error. */
function refusalOf({ provider, status, body }: Case): ProviderRefusal {
  const value = typeof body === 'string' ? parsed(body) : body
  const isThrown = typeof value === 'object' && value !== null && 'name' in value && 'message' in value
  return { provider: provider ?? null, status: status ?? null, ...(isThrown ? { thrown: value } : { body }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // plain words
  }
}

function told({ kind, limit, actual, maxOutput }: Told | Verdict): Told {
  return {
    kind,
    ...(limit !== undefined && { limit }),
    ...(actual !== undefined && { actual }),
    ...(maxOutput !== undefined && { maxOutput }),
  }
}
