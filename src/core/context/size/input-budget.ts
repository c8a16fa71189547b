/** The input budget: the part of a context window that a request may use. Pure. */

/** The window minus the output reserve, which is min(8 192, a fifth of it). Unit: tokens. Source: C7.5. */
export function inputBudget(window: number): number {
  return window - Math.min(8_192, Math.floor(window / 5))
}
