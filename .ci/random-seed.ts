/**
 * The seed of random tests: one and the same in `check` and `test`, so that what is red is red by the change at hand.
 * `npm run laws` draws a new one each time; HAVERSACK_SEED repeats what a failure printed.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['HAVERSACK_SEED'] ?? 20_260_302) })
