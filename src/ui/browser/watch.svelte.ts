/** Beginning work when state changes: an effect whose task cannot wake itself. */
import { untrack } from 'svelte'

/**
 * Runs the task now and whenever what `read` reads has changed. What the task itself reads does not count, so one that
 * stores what it was told never begins again by that. The task may answer with its clean-up.
 */
export function watch<T>(read: () => T, task: (now: T) => void | (() => void)): void {
  $effect(() => {
    const now = read()
    return untrack(() => task(now))
  })
}
