/** The mark of what is stored: how it may be given to a model elsewhere. Pure. */

/** `asks`: the ordinary yes is enough. `stays`: it needs a yes of its own. Absent or unknown means `stays`. */
export type EgressMark = 'asks' | 'stays'

/** Of several marks the strictest. */
export function strictestMark(...marks: readonly unknown[]): EgressMark {
  return marks.every(mark => mark === 'asks') ? 'asks' : 'stays'
}
