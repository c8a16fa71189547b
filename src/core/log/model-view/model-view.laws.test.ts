/** Whatever the log: the request is legal, and it is the same however the log was seen. */
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { modelView } from './model-view.ts'
import { repairMessages } from './repair.ts'
import { a, pathOfEntries, r, summaryOf, u } from '../log.fixture.ts'
import { anyLog } from '../random-log.fixture.ts'
import { runs } from '../../text/laws.fixture.ts'
import type { Entry, Log } from '../entry.ts'
import type { Message } from '../message.ts'
import { cutEdit } from './model-view.fixture.ts'

describe('always', () => {
  it('the request is legal, and the same log gives the same objects and bytes', () => {
    fc.assert(
      fc.property(anyLog, log => {
        const view = modelView(log)
        const messages = view.map(({ message }) => message)
        expect(isLegal(messages)).toBe(true)
        repairMessages(messages).forEach((message, i) => expect(message).toBe(messages[i]))
        for (const message of messages) {
          if (message.role === 'assistant') {
            expect(message.content !== '' || (message.toolCalls?.length ?? 0) > 0).toBe(true)
            expect(new Set(message.toolCalls?.map(({ id }) => id)).size).toBe(message.toolCalls?.length ?? 0)
          }
        }
        modelView(log).forEach((again, i) => expect(again).toBe(view[i]))
        const copy = JSON.parse(JSON.stringify(log)) as Log
        expect(JSON.stringify(modelView(copy))).toBe(JSON.stringify(view))
      }),
      runs(),
    )
  })

  it('a log seen growing gives the same as one seen at once', () => {
    fc.assert(
      fc.property(anyLog, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 9 }), (log, steps) => {
        for (const options of [{}, { running: true }, { running: false }]) {
          const pushed: Entry[] = []
          for (let step = 0; pushed.length < log.length; step++) {
            pushed.push(...log.slice(pushed.length, pushed.length + steps[step % steps.length]!))
            const copy = JSON.parse(JSON.stringify(pushed)) as Log
            const at = JSON.stringify(modelView(copy, options))
            expect(JSON.stringify(modelView(log.slice(0, pushed.length), options))).toBe(at)
            expect(JSON.stringify(modelView(pushed, options))).toBe(at)
          }
        }
      }),
      runs(),
    )
  })

  it('a log that only chats and is cut gives the same, however it is seen', () => {
    const turn = (n: number): Log =>
      pathOfEntries([u(`q${n}`), a('look', ['c']), r('c', `r${n}`), a('go on', ['c']), r('c', 'more'), a(`a${n}`)]).map(
        entry => ({ ...entry, id: `${n}.${entry.id}` }),
      )
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            end: fc.nat(6),
            cut: fc.boolean(),
            at: fc.nat(60),
            pin: fc.boolean(),
            clear: fc.boolean(),
            place: fc.boolean(),
          }),
          { maxLength: 8 },
        ),
        turns => {
          let log: Log = []
          const options = { running: true }
          for (const [n, { end, cut: cuts, at, pin: pins, clear, place }] of turns.entries()) {
            const facts = [...log, ...turn(n).slice(0, end)]
            const border = facts[at % Math.max(1, facts.length)]
            const question = facts.slice(0, at % Math.max(1, facts.length)).findLast(({ type }) => type === 'user')
            log =
              cuts && border
                ? [
                    ...facts,
                    ...pathOfEntries([
                      cutEdit(`k${n}`, border.id, clear ? 'clear' : 'compact', pins ? question?.id : undefined),
                      summaryOf(`k${n}`, `S${n}`, place ? 'first question' : 'own message', `s${n}`),
                    ]),
                  ]
                : facts
            expect(JSON.stringify(modelView(log, options))).toBe(
              JSON.stringify(modelView(JSON.parse(JSON.stringify(log)) as Log, options)),
            )
          }
        },
      ),
      runs(),
    )
  })

  it('a log that grows keeps what was sent before, as the same objects', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(30), (log, some) => {
        const facts = log.filter(({ type }) => type === 'user' || type === 'assistant')
        const before = modelView(facts.slice(0, some))
        modelView(facts)
          .slice(0, before.length)
          .forEach((item, i) => expect(item).toBe(before[i]))
      }),
      runs(),
    )
  })
})

/** Every call is answered right behind its answer, once, and there is no other result. */
function isLegal(messages: readonly Message[]): boolean {
  const waiting = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.toolCallId)) return false
    } else {
      if (waiting.size > 0) return false
      if (message.role === 'assistant') for (const { id } of message.toolCalls ?? []) waiting.add(id)
    }
  }
  return waiting.size === 0
}
