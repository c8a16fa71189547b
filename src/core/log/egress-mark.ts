/** The egress mark of stored data: whether it may be given to a remote model. Pure. */

/** `asks`: the ordinary consent is enough. `stays`: it needs a separate consent. Absent or unknown means `stays`. */
export type EgressMark = 'asks' | 'stays'

/** The strictest of several marks. */
export function strictestMark(...marks: readonly unknown[]): EgressMark {
  return marks.every(mark => mark === 'asks') ? 'asks' : 'stays'
}
