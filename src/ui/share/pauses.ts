/** Long work of the page in pieces, so that a key never waits for it. */
import { soon } from '../browser/before-next-paint.ts'

/** Longest piece of work, ms. */
const longestMs = 8

/** Lets other work run where enough time has passed since it last did. */
export type Pause = () => Promise<void>

export function pauses(): Pause {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestMs) return
    await soon()
    since = performance.now()
  }
}
