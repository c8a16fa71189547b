/** The table of strategies. */
import type { Config } from '../config/config.ts'
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

/** What a chat runs with that chose nothing. */
export const defaultStrategy: StrategyName = 'balanced'
