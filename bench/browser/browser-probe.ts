/** What is measured inside the page. Set up before the page's own code; read by `browser.ts`. */

export type LongTask = { at: number; ms: number }
export type Probe = {
  /** ms from the start of the navigation to the paint that first showed the wanted words in the talk. */
  shown: number | undefined
  /** ms from the start of the navigation to the last time that the talk grew by more than a screen. */
  grown: number
  tasks: LongTask[]
  frames: number[] // ms between two frames, while `counting`
  counting: boolean
  opening: boolean
  /** Looks at each frame, while `opening` or `counting`. */
  watch(): void
  keys: number[] // ms from the key to the end of the frame that shows it
}

declare global {
  interface Window {
    probe: Probe
  }
}

/** Runs in the page: it must not use anything from outside itself. */
export function setUpProbe(wanted: string): void {
  const probe: Probe = {
    shown: undefined,
    grown: 0,
    tasks: [],
    frames: [],
    counting: false,
    opening: true,
    watch,
    keys: [],
  }
  window.probe = probe
  new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) probe.tasks.push({ at: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })

  /** A message that is sent in a frame's callback arrives when the frame was drawn. */
  const afterPaint = (task: (now: number) => void): void => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      task(performance.now())
      port1.close()
    }
    port2.postMessage(null)
  }
  let last = performance.now()
  let height = 0
  let watching = false
  function watch(): void {
    if (watching) return
    watching = true
    last = performance.now()
    requestAnimationFrame(frame)
  }
  function frame(now: number): void {
    watching = probe.opening || probe.counting
    if (!watching) return // a page that rests draws no frames
    if (probe.counting) probe.frames.push(now - last)
    last = now
    const talk = probe.opening ? document.querySelector<HTMLElement>('[role="log"]') : null
    if (talk !== null) {
      if (
        probe.shown === undefined &&
        talk.textContent?.includes(wanted) &&
        getComputedStyle(talk).visibility === 'visible'
      )
        afterPaint(at => {
          probe.shown ??= at
        })
      if (Math.abs(talk.scrollHeight - height) > 2_000) {
        height = talk.scrollHeight
        probe.grown = now
      }
    }
    requestAnimationFrame(frame)
  }
  watch()
  addEventListener(
    'keydown',
    event => {
      const from = event.timeStamp
      requestAnimationFrame(() =>
        afterPaint(at => {
          probe.keys.push(at - from)
        }),
      )
    },
    { capture: true },
  )
}

/** p50, p95 and most of some numbers, in ms with one decimal. */
export function spread(numbers: readonly number[]): { count: number; p50: number; p95: number; most: number } {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), most: at(1) }
}

export function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Frames that a screen of 60 Hz would have missed. */
export function dropped(frames: readonly number[]): number {
  return frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / (1_000 / 60)) - 1), 0)
}

/** Tasks above 50 ms: how many, the longest, all of them together. */
export function longTasks(tasks: readonly LongTask[]): { count: number; longest: number; sum: number } {
  return {
    count: tasks.length,
    longest: rounded(Math.max(0, ...tasks.map(({ ms }) => ms))),
    sum: rounded(tasks.reduce((sum, { ms }) => sum + ms, 0)),
  }
}
