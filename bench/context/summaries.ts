/**
 * `npm run bench -- summaries`: what a summary by rule and the check of a model's summary cost the processor, at 2 000
 * and 20 000 facts of 800 bytes (C14).
 */
import { auditSummary } from '../../src/core/context/summary/audit-summary.ts'
import { extract } from '../../src/core/context/summary/extract.ts'
import { summaryCap } from '../../src/core/context/summary/summarize.ts'
import { bytesOver } from '../../src/core/log/counter.ts'
import { longChat } from '../chats/long-chat.ts'
import type { Bench } from '../shared/machine.ts'
import { cpuMs, percentiles, rounded, Slices } from '../shared/measuring.ts'

const sizes = [2_000, 20_000]

export const summaries: Bench = async () => {
  const rows = []
  for (const facts of sizes) {
    rows.push({ facts, ...(await summaryTimes(facts, 10)) })
    console.error(JSON.stringify(rows.at(-1)))
  }
  return {
    unit: 'ms of processor time, helper threads included',
    factBytes: 800,
    note: 'fallback: the summary by rule of all the facts. audit: the check of a summary that lost nearly all names. longestSlice: the longest stretch in which no other work could run.',
    rows,
  }
}

/** Of one summary of all the facts: processor time, and the longest stretch in which no other work could run; ms. */
export async function summaryTimes(count: number, runs: number): Promise<object> {
  const counter = bytesOver(4)
  const cap = summaryCap(1_000_000)
  const times = { fallback: [] as number[], audit: [] as number[] }
  const longest = { fallback: 0, audit: 0 }
  for (let run = 0; run < runs; run++) {
    const facts = longChat(count)
    let slices = new Slices()
    let before = cpuMs()
    await extract({ facts, cap, count: text => counter.text(text), pause: slices.pause })
    times.fallback.push(cpuMs() - before)
    longest.fallback = Math.max(longest.fallback, slices.end().longest)
    slices = new Slices()
    before = cpuMs()
    await auditSummary({
      text: '## Goal\nGo on.\n\n## Critical Context\n- src/area-1/file-1.ts and src/never/said.ts',
      facts,
      previous: undefined,
      instruction: undefined,
      cap,
      count: text => counter.text(text),
      pause: slices.pause,
    })
    times.audit.push(cpuMs() - before)
    longest.audit = Math.max(longest.audit, slices.end().longest)
  }
  return {
    fallback: { ...percentiles(times.fallback), longestSlice: rounded(longest.fallback) },
    audit: { ...percentiles(times.audit), longestSlice: rounded(longest.audit) },
  }
}
