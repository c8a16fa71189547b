/** Detects that the worker is dead or hangs, and does not mistake a sleeping device for that. */

/** Three unanswered beats of 5 s: the longest honest work of the worker, a slice of counting, takes 0.3 s. */
const beatMs = 5_000
const missesAllowed = 3
/** After a screen lock or a hidden tab, timers of page and worker come back at their own pace. */
const graceMs = 10_000

export type PageLife = {
  visible(): boolean
  /** Calls back at each change, and on resume; answers with the way to stop. */
  onChange(changed: () => void): () => void
}

/** Beats until it is stopped by the returned function, or until `lost` was called, once. */
export function heartbeat({
  ping,
  busy,
  page,
  lost,
}: {
  ping: () => Promise<unknown>
  /** Long work was announced: silence means nothing. */
  busy: () => boolean
  page: PageLife
  lost: () => void
}): () => void {
  let misses = 0
  let unanswered: Promise<unknown> | undefined
  let lastBeat = Date.now()
  let graceUntil = 0

  const again = (from: number): void => {
    misses = 0
    unanswered = undefined
    graceUntil = from
  }
  const beat = (): void => {
    const now = Date.now()
    const slept = now - lastBeat > 2 * beatMs
    lastBeat = now
    if (slept) again(now + graceMs)
    if (!page.visible() || busy() || now < graceUntil) {
      misses = 0
      unanswered = undefined
      return
    }
    if (unanswered) {
      if (++misses < missesAllowed) return
      stop()
      lost()
      return
    }
    const asked = ping()
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        // a refusal is an answer too
        if (unanswered !== asked) return
        unanswered = undefined
        misses = 0
      })
    unanswered = asked
  }
  const timer = setInterval(beat, beatMs)
  const leave = page.onChange(() => {
    again(Date.now() + graceMs)
  })
  const stop = (): void => {
    clearInterval(timer)
    leave()
  }
  return stop
}

/** The page that this runs in. */
export function thisPage(): PageLife {
  return {
    visible: () => document.visibilityState === 'visible',
    onChange(changed) {
      document.addEventListener('visibilitychange', changed)
      document.addEventListener('resume', changed) // Chromium: thawed after a freeze
      window.addEventListener('pageshow', changed) // back from the page cache
      return () => {
        document.removeEventListener('visibilitychange', changed)
        document.removeEventListener('resume', changed)
        window.removeEventListener('pageshow', changed)
      }
    },
  }
}
