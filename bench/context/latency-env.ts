/** What steps are handed in measurements: a window, a counter, nobody to ask. */
import type { StepEnv } from '../../src/core/context/strategy.ts'
import type { Counter } from '../../src/core/log/counter.ts'
import type { ArchivePlace } from '../../src/core/log/entry.ts'
import { placeOf } from '../chats/long-chat.ts'

let ids = 0
const never = new AbortController().signal
const tools: StepEnv['tools'] = []
const places = new Map<string, ArchivePlace>()

export function envOf(contextWindow: number, counter: Counter): StepEnv {
  return {
    moment: 'onCall',
    contextWindow,
    outputReserve: Math.min(8_192, Math.floor(contextWindow / 5)),
    local: false,
    system: 'You are a helpful agent.',
    tools,
    counter,
    askWindow: contextWindow,
    askModel: '',
    language: 'en',
    signal: never,
    place,
    newId: () => `edit-${ids++}`,
    now: () => 0,
    group: `group-${ids++}`,
  }
}

/** As a session knows it: looked up, not computed. */
export function place(id: string): ArchivePlace {
  const known = places.get(id) ?? placeOf(id)
  places.set(id, known)
  return known
}
