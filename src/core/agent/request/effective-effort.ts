/** Which reasoning effort a request asks for, by the setting and by what the model supports. Pure. */
import type { Effort } from '../../log/message.ts'

const order: readonly Effort[] = ['off', 'low', 'medium', 'high']

/**
 * The effort for a setting: the one that is set, else the next lower one that the model supports, else its lowest;
 * undefined if nothing is set or the model supports none.
 */
export function effectiveEffort(efforts: readonly Effort[] | undefined, setting: string): Effort | undefined {
  const set = order.find(effort => effort === setting)
  if (set === undefined || !efforts?.length) return undefined
  return efforts.includes(set)
    ? set
    : (efforts.findLast(effort => order.indexOf(effort) <= order.indexOf(set)) ?? efforts[0])
}
