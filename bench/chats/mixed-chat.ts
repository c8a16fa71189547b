/**
 * A long chat of work with tools: short and huge results, facts planted in questions, results and answers. Always the
 * same.
 */
import type { FactEntry } from '../../src/core/log/entry.ts'

/** `value` is told once, in turn `turn`, and is part of no other one. */
export type Told = { value: string; turn: number; by: 'question' | 'result' | 'answer' }

/** Bytes of results, as they come in work with files and pages: mostly short, some long, few huge. */
const sizes = [400, 700, 900, 1_500, 2_000, 3_000, 4_000, 6_000, 9_000, 14_000, 30_000, 70_000]
const words =
  'then the list is read again and the numbers of the last week are put beside the ones before so that nobody has to ask twice what was changed'.split(
    ' ',
  )

/** `turns` turns of a question, one to four calls with their results, and an answer. */
export function mixedChat(turns: number): { facts: FactEntry[]; told: Told[] } {
  const facts: FactEntry[] = []
  const told: Told[] = []
  let state = 7
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const add = (fact: object): void => {
    const at = facts.length
    facts.push({
      ...fact,
      id: `m${at}`,
      parent: at === 0 ? null : `m${at - 1}`,
      at: Date.UTC(2026, 2, 2) + at * 60_000,
    } as FactEntry)
  }
  const plant = (turn: number, by: Told['by']): string => {
    const value = `${by[0]}${(told.length * 7_919 + 104_729).toString(36)}-${told.length}x`
    told.push({ value, turn, by })
    return `The mark of part ${told.length} is ${value}.`
  }
  const filled = (bytes: number): string => {
    let text = ''
    for (let at = random(words.length); text.length < bytes; at++)
      text += `${words[at % words.length]}${at % 13 === 12 ? '\n' : ' '}`
    return text
  }
  for (let turn = 0; turn < turns; turn++) {
    add({ type: 'user', text: `Go on with step ${turn}. ${plant(turn, 'question')} ${filled(150 + random(400))}` })
    const calls = 1 + random(4)
    for (let call = 0; call < calls; call++) {
      const id = `call_${turn}_${call}`
      add({
        type: 'assistant',
        text: filled(80),
        calls: [{ id, name: 'run_command', arguments: JSON.stringify({ command: `show ${turn} ${call}` }) }],
        model: 'bench',
        local: false,
        stop: 'calls',
      })
      const bytes = sizes[random(sizes.length)]!
      add({
        type: 'result',
        callId: id,
        tool: 'run_command',
        isError: false,
        text: `${filled(bytes / 2)}\n${plant(turn, 'result')}\n${filled(bytes / 2)}`,
      })
    }
    add({
      type: 'assistant',
      text: `${filled(300)} ${plant(turn, 'answer')} ${filled(300)}`,
      calls: [],
      model: 'bench',
      local: false,
      stop: 'stop',
    })
  }
  return { facts, told }
}
