/** What of a window a request may have. Pure. */

/** The window without what is kept free for the answer: min(8 192, a fifth). Tokens. Source: C7.5. */
export function inputBudget(window: number): number {
  return window - Math.min(8_192, Math.floor(window / 5))
}
