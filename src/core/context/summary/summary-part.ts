/** What a summary by rule is made of. */

export type SummaryPart =
  | 'goal'
  | 'constraint'
  | 'done'
  | 'running'
  | 'blocked'
  | 'decision'
  | 'next'
  | 'note'
  | 'failure'
  | 'value'
/** `weight` says what stays when not all fits; `order` is its place among its like. */
export type CollectedItem = { part: SummaryPart; text: string; weight: number; order: number }
