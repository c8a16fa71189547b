/** The table of strategies. */
import { defaultsOf, type Config } from '../config/config.ts'
import type { Strategy, StrategyName } from '../strategy.ts'
import { balanced } from './balanced.ts'
import { copaw } from './copaw.ts'
import { cowagent } from './cowagent.ts'
import { qwenpaw } from './qwenpaw.ts'

/** A strategy with the effective settings. Cheap: made for each request. */
export const strategies: Readonly<Record<StrategyName, (config: Config) => Strategy>> = {
  balanced,
  qwenpaw,
  copaw,
  cowagent,
}

/** Whether it implements a published system; else it is our own. */
export function isPublished(name: StrategyName): boolean {
  return strategies[name](defaultsOf(name)).publishedIn !== undefined
}
