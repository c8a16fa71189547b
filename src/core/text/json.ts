/** JSON that others wrote, read without throwing. Pure. */

/** The value; undefined where the text is no JSON. Never throws. */
export function parsedJson(text: string): unknown {
  if (!/^\s*["[{\d\-tfn]/.test(text)) return undefined // most texts are none, and an error takes long
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value where it is an object and no list; undefined for all else. Never throws. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Whether the text is JSON. Never throws. */
export const isJson = (text: string): boolean => parsedJson(text) !== undefined
