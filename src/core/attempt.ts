/** Tries a browser feature that may throw when it is touched. */

/**
 * What `take` answers with; undefined where naming, reading or making it throws. Where a person has blocked site data a
 * browser still has all of its parts, and merely touching one of them throws. Never throws.
 */
export function attempt<T>(take: () => T): T | undefined {
  try {
    return take()
  } catch {
    return undefined
  }
}
