/**
 * What the page's thread did, as Chromium traces it: also in processor time, which a busy machine does not lengthen.
 */
import type { CDPSession } from '@playwright/test'
import { rounded } from './browser-probe.ts'

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number /* µs */
  dur?: number
  tdur?: number /* µs of processor time */
  args?: { name?: string }
}

/** `over50`: tasks above 50 ms of processor time; `sum`: all that the page's thread computed, in ms. */
export type Processor = { over50: number; longest: number; sum: number }

/** Runs `act` and answers with what the page's thread computed meanwhile. */
export async function traced(session: CDPSession, act: () => Promise<void>): Promise<Processor> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }): void => {
    events.push(...(value as TraceEvent[]))
  }
  session.on('Tracing.dataCollected', collect)
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  })
  try {
    await act()
  } finally {
    const complete = new Promise<unknown>(resolve => {
      session.once('Tracing.tracingComplete', resolve)
    })
    await session.send('Tracing.end')
    await complete
    session.off('Tracing.dataCollected', collect)
  }
  const pages = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const each = pages.map(page => processorOf(events.filter(event => event.pid === page.pid && event.tid === page.tid)))
  return each.toSorted((a, b) => b.sum - a.sum)[0] ?? { over50: 0, longest: 0, sum: 0 }
}

function processorOf(events: readonly TraceEvent[]): Processor {
  const tasks = events.filter(({ name, ph }) => ph === 'X' && name.endsWith('RunTask')).toSorted((a, b) => a.ts - b.ts)
  const outer: number[] = []
  let end = 0
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    if (ts < end) continue // inside the one before
    end = ts + dur
    outer.push(tdur / 1_000)
  }
  return {
    over50: outer.filter(ms => ms > 50).length,
    longest: rounded(Math.max(0, ...outer)),
    sum: rounded(outer.reduce((sum, ms) => sum + ms, 0)),
  }
}
