/** What of a replayed session an agent reaches within two calls, where its last request does not hold it. */
import { toolLimits } from '../../src/core/agent/request/window-limits.ts'
import type { FactEntry } from '../../src/core/log/entry.ts'
import { isFact } from '../../src/core/log/query.ts'
import type { Replayed } from '../replay/replay-run.ts'
import { foundBySearch, namedReads, readsTwice, searchIn, toolContext, type Search } from '../shared/two-calls.ts'

/**
 * The facts of a session are the same under every strategy, so searches and reads of one run stand for all runs with as
 * large a tool result.
 */
export class TwoCalls {
  readonly #known = new Map<string, Promise<boolean>>()
  #search: Search | undefined

  /** Whether one search with the words of the question, and one read of the first passage, give the answer. */
  bySearch(run: Replayed, question: string, answer: string): Promise<boolean> {
    return this.#once(`search ${limitsOf(run)} ${question} ${answer}`, async () => {
      this.#search ??= searchIn(run.store)
      return (
        (await foundBySearch(question, answer, toolContext(run.store, { ...run, search: this.#search }))) !== undefined
      )
    })
  }

  /** Whether two reads of what the request names give the answer. `request`: all that the model would read. */
  async byPath(run: Replayed, request: string, answer: string): Promise<boolean> {
    for (const fact of run.log.toReversed()) {
      if (!isFact(fact) || !holds(fact, answer)) continue
      const place = run.placeOf(fact.id)
      for (const read of namedReads(request, { id: fact.id, place, session: run.session })) {
        const key = `read ${limitsOf(run)} ${read.path} ${read.line} ${answer}`
        if (await this.#once(key, () => readsTwice(read, answer, toolContext(run.store, run)))) return true
      }
    }
    return false
  }

  #once(key: string, ask: () => Promise<boolean>): Promise<boolean> {
    const known = this.#known.get(key) ?? ask()
    this.#known.set(key, known)
    return known
  }
}

/** How much a read or a search gives decides; of large windows it is the same. */
const limitsOf = ({ window }: Replayed): string => Object.values(toolLimits(window)).join(' ')

function holds(fact: FactEntry, answer: string): boolean {
  if (fact.text.includes(answer) || fact.tail?.includes(answer) === true) return true
  return fact.type === 'assistant' && fact.calls.some(call => call.arguments.includes(answer))
}
