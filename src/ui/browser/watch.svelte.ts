/** Runs a task when state changes: an effect whose task cannot trigger itself. */
import { untrack } from 'svelte'

/**
 * Runs the task now and whenever what `read` reads has changed. What the task itself reads does not count, so one that
 * stores its input is not triggered again by that. The task may return a clean-up function.
 */
export function watch<T>(read: () => T, task: (now: T) => void | (() => void)): void {
  $effect(() => {
    const now = read()
    return untrack(() => task(now))
  })
}
