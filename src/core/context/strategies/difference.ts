/** One row of the differences, in English and Chinese. A type, so that the tables of rows need not know each other. */
import type { StrategyName } from '../strategy.ts'

/** `title` as part of a sentence; `published` and `here` say the same thing of both; all without an end. */
type Said = { title: string; published: string; here: string; why: string }

export type Difference = {
  /** Never changed: what refers to a row names it by this. */
  id: string
  /** In which strategies it holds. */
  of: readonly StrategyName[] | 'all'
  en: Said
  zh: Said
}
