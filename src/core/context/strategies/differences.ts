/**
 * Where the strategies differ on purpose from what was published of them, and why (C7.7). Data only: `/config` and
 * `/strategy` say it, and the README's table is compared with it row by row. Loaded when somebody asks.
 */
import { capital } from '../../text/display/capital.ts'
import type { StrategyName } from '../strategy.ts'
import { appDifferences } from './app-differences.ts'
import { archiveDifferences } from './archive-differences.ts'
import type { Difference } from './difference.ts'
import { windowDifferences } from './window-differences.ts'

/** In the order of the README's table. */
export const differences: readonly Difference[] = [...windowDifferences, ...archiveDifferences, ...appDifferences]

/** The differences of a strategy; of our own, only those of all strategies. */
export function differencesOf(strategy: StrategyName): Difference[] {
  return differences.filter(({ of }) => of === 'all' || of.includes(strategy))
}

/** The table of the README, a line each. */
export function differencesTable(): string[] {
  return [
    '| | in | published | here | why |',
    '| --- | --- | --- | --- | --- |',
    ...differences.map(
      ({ of, en }) =>
        `| ${capital(en.title)} | ${of === 'all' ? 'all' : of.join(', ')} | ${capital(en.published)} | ${capital(en.here)} | ${capital(en.why)} |`,
    ),
  ]
}
