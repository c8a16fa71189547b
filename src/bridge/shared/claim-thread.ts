/** Ensures that a thread is served only once. */
import { AgentError } from '../../core/errors.ts'

/** Known to every copy of this code in the thread, also where its script was run a second time. */
const served = Symbol.for('haversack.served')

/**
 * Notes that this end of a thread is served. Throws where it is already: then the thread's script was run twice, and
 * two servers would each do everything that the page asks for.
 */
export function claimThread(end: object): void {
  if (Object.hasOwn(end, served))
    throw new AgentError(
      'unknown',
      'This thread was started twice. Its second start was refused, so that nothing is done twice.',
    )
  Object.defineProperty(end, served, { value: true })
}
