/** What the page did while something was done to it: long tasks, frames, keys, and the processor's time. */
import { loadavg } from 'node:os'
import type { CDPSession, Page } from '@playwright/test'
import { dropped, longTasks, rounded, type LongTask } from './browser-probe.ts'
import { traced, type Processor } from './browser-trace.ts'

/** Of the last minute, on all cores. */
export const load = (): number => rounded(loadavg()[0] ?? 0)

export type Watched = { tasks: LongTask[]; frames: number[]; keys: number[]; processor: Processor }

/** What the page saw while `act` ran. */
export async function watch(page: Page, session: CDPSession, act: () => Promise<void>): Promise<Watched> {
  await page.evaluate(() => {
    Object.assign(window.probe, { opening: false, counting: true, tasks: [], frames: [], keys: [] })
    window.probe.watch()
  })
  const processor = await traced(session, act)
  const { tasks, frames, keys } = await page.evaluate(() => {
    window.probe.counting = false
    return window.probe
  })
  return { tasks, frames, keys, processor }
}

export function told({ tasks, frames, processor }: Watched): object {
  return {
    longTasks: longTasks(tasks),
    processor,
    frames: frames.length,
    dropped: dropped(frames),
    longestFrame: rounded(Math.max(0, ...frames)),
  }
}
