/** How much a model is asked to think, by what is set and what it can be told. Pure. */
import type { Effort } from '../../log/message.ts'

const order: readonly Effort[] = ['off', 'low', 'medium', 'high']

/**
 * What goes out for a setting: as it is set, else the next lower one that the model knows, else its lowest; undefined
 * where nothing is set or nothing can be told.
 */
export function effectiveEffort(efforts: readonly Effort[] | undefined, setting: string): Effort | undefined {
  const set = order.find(effort => effort === setting)
  if (set === undefined || !efforts?.length) return undefined
  return efforts.includes(set)
    ? set
    : (efforts.findLast(effort => order.indexOf(effort) <= order.indexOf(set)) ?? efforts[0])
}
