/**
 * `npm run bench -- tokens`: how far each way of counting is from exact, before and after calibration, and its worst
 * time (C14).
 */
import { calibrate } from '../../src/core/agent/request/model-calibration.ts'
import { bpeOf, bytesTokens, scriptTokens } from '../../src/core/text/tokens.ts'
import type { Bench } from '../shared/machine.ts'
import { cpuMs, rounded } from '../shared/measuring.ts'
import { o200kBase } from '../shared/tokenizer.ts'
import { hostileTexts, textsByKind } from './tokens-texts.ts'

type Row = {
  kind: string
  counter: string
  exact: number
  counted: number
  error: number
  factor: number
  errorCalibrated: number
}

export const tokens: Bench = async () => {
  const exact = await o200kBase()
  const bpe = bpeOf(exact)
  const counters: Record<string, (text: string) => number> = {
    bpe,
    'bytes/4': text => bytesTokens(text, 4),
    'bytes/3': text => bytesTokens(text, 3),
    script: scriptTokens,
  }
  const rows: Row[] = []
  for (const [kind, texts] of Object.entries(textsByKind())) {
    for (const [counter, count] of Object.entries(counters)) {
      // The first half of the texts teaches the factor, the second half is what is judged.
      const half = Math.ceil(texts.length / 2)
      const judged = texts.slice(half)
      let factor: number | undefined
      for (const text of texts.slice(0, half)) {
        const taught = calibrate(factor, exact(text), count(text))
        if ('factor' in taught) factor = taught.factor
      }
      const truth = judged.map(exact)
      const counted = judged.map(count)
      rows.push({
        kind,
        counter,
        exact: sum(truth),
        counted: sum(counted),
        error: meanError(counted, truth),
        factor: rounded(factor ?? 1),
        errorCalibrated: meanError(
          counted.map(one => Math.round(one * (factor ?? 1))),
          truth,
        ),
      })
    }
  }
  const worst = Object.entries(hostileTexts()).flatMap(([kind, text]) =>
    Object.entries(counters).map(([counter, count]) => {
      const before = cpuMs()
      count(text)
      return { kind, counter, letters: text.length, ms: rounded(cpuMs() - before) }
    }),
  )
  return {
    note: 'error: mean of |counted - exact| / exact over the texts; exact: o200k_base of gpt-tokenizer on the whole text. factor: C1.6, learnt from the first half of the texts, judged on the second. worst: ms of processor time for 100 000 UTF-16 units.',
    rows,
    worst,
    worstMs: Math.max(...worst.map(one => one.ms)),
  }
}

function meanError(counted: readonly number[], truth: readonly number[]): number {
  return rounded(sum(counted.map((one, at) => Math.abs(one - truth[at]!) / truth[at]!)) / counted.length)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
