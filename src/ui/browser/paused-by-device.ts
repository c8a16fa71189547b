/** Detects that the device suspended the page during an answer. Pure. */
import type { Status } from '../../core/agent/api/api.ts'
import type { Code } from '../../core/errors.ts'

/**
 * Looked at shortly after the page is shown again. A pause is not an error of the network: what broke then broke
 * because the phone had stopped the page. `hiddenMs` below two seconds is a glance at another tab, not a pause.
 */
export function wasPausedByDevice(seen: {
  busyWhenHidden: boolean
  hiddenMs: number
  state: Status['state']
  failure?: Code | undefined
}): boolean {
  if (!seen.busyWhenHidden || seen.hiddenMs < 2_000) return false
  return seen.state === 'interrupted' || seen.failure === 'network' || seen.failure === 'worker_lost'
}
