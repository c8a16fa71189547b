/** Laws of what goes back of the reasoning (C12): for any log, each grade, and both dialects. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requestSize } from '../../core/context/size/measure.ts'
import { bytesOver } from '../../core/log/counter.ts'
import type { AssistantFact, Entry, Log } from '../../core/log/entry.ts'
import { entryLine, parseLine } from '../../core/log/file-format/jsonl.ts'
import type { Message, ModelRequest } from '../../core/log/message.ts'
import { modelView, type ViewMessage } from '../../core/log/model-view/model-view.ts'
import { anyLog } from '../../core/log/random-log.fixture.ts'
import { reasoningGrades, withReasoning, type ReasoningGrade } from '../../core/log/model-view/reasoning-back.ts'
import { runs } from '../../core/text/laws.fixture.ts'
import { anthropicBody } from './anthropic-body.ts'
import { extraOfCall, partsOfReasoning } from './reasoning-details.ts'
import { wireMessages, type WireMessage } from './wire.ts'

const none = new Map<string, string>()
const request = (views: readonly ViewMessage[]): ModelRequest => ({
  system: 'S',
  tools: [],
  messages: views.map(({ message }) => message),
})
const wire = (views: readonly ViewMessage[]): WireMessage[] => wireMessages(request(views), new Set(), none).slice(1)
type Turn = { role: string; content: { type: string; [field: string]: unknown }[] }
const turns = (views: readonly ViewMessage[]): Turn[] =>
  anthropicBody(request(views), { model: 'm', maxTokens: 9, images: none, quirks: new Set() })['messages'] as Turn[]
const anyGrade = fc.constantFrom(...reasoningGrades)
const anyMark = fc.constantFrom('A', 'B')
/** As a restart or an import reads it. */
const reread = (log: Log): Log =>
  log.map((entry, seq) => {
    const line = parseLine(entryLine(entry, seq)!, { ours: true })
    if (line.kind !== 'entry') throw new Error(`not read: ${JSON.stringify(line)}`)
    return {
      ...line.entry,
      id: line.id!,
      parent: line.parent ?? null,
      at: line.at!,
      ...(line.gone ? { gone: line.gone } : {}),
    } as Entry
  })

/**
 * The grades once more, told from the words of the rule: the turn around a message by walking to its question and to
 * the next one.
 */
function isDue(messages: readonly Message[], at: number, grade: ReasoningGrade): boolean {
  if (grade === 'every answer') return true
  if (grade === 'nothing') return false
  let from = at
  while (from > 0 && messages[from]!.role !== 'user') from--
  const next = messages.findIndex(({ role }, i) => i > at && role === 'user')
  if (next < 0) return true
  return (
    grade === 'turns with calls' &&
    messages.slice(from, next).some(message => message.role === 'assistant' && message.toolCalls !== undefined)
  )
}

describe('for any log', () => {
  it('the body holds what the grade demands, and details only of the very model', () => {
    fc.assert(
      fc.property(anyLog, anyGrade, anyMark, (log, grade, from) => {
        const facts = new Map(log.map(entry => [entry.id, entry]))
        const plain = modelView(log)
        const views = modelView(log, { reasoning: { text: grade, from } })
        const messages = plain.map(({ message }) => message)
        expect(JSON.stringify(wire(views))).not.toContain(`secret-${from === 'A' ? 'B' : 'A'}`)
        expect(JSON.stringify(turns(views))).not.toContain(`secret-${from === 'A' ? 'B' : 'A'}`)
        expect(JSON.stringify([wire(views), turns(views)])).not.toContain('secret-"')
        wire(views).forEach((sent, at) => {
          const view = views[at]!
          const { reasoning_content: text, reasoning_details: details, tool_calls: calls, ...rest } = sent
          const { tool_calls: plainCalls, ...plainRest } = wire(plain)[at]!
          expect(rest).toEqual(plainRest) // nothing else changes
          if (view.message.role !== 'assistant') return expect([text, details]).toEqual([undefined, undefined])
          const fact = facts.get(view.entry!) as Entry & AssistantFact
          const isWhole =
            view.shortened === undefined &&
            view.message.content === fact.text &&
            (view.message.toolCalls?.length ?? 0) === fact.calls.length &&
            !fact.gone
          const own = isWhole && fact.details?.from === from ? fact.details : undefined
          expect(text).toBe(
            isDue(messages, at, grade) ? (fact.reasoning?.replace(/\p{Cs}/gu, '\uFFFD') ?? '') : undefined,
          )
          expect(details).toEqual(partsOfReasoning(own).length > 0 ? partsOfReasoning(own) : undefined)
          expect(calls).toEqual(
            (plainCalls as { id: string }[] | undefined)?.map(call => {
              const extra = extraOfCall(own, call.id)
              return extra === undefined ? call : { ...call, extra_content: extra }
            }),
          )
        })
      }),
      runs(200),
    )
  })

  it('it is the same for a log that grew as for one that is looked at as a whole', () => {
    fc.assert(
      fc.property(anyLog, anyGrade, anyMark, (log, text, from) => {
        const reasoning = { text, from }
        const view = { reasoning }
        for (let end = 1; end <= log.length; end++) {
          const grown = log.slice(0, end)
          expect(modelView(grown, view)).toEqual(withReasoning(modelView(grown), { ...reasoning }))
        }
      }),
      runs(200),
    )
  })

  it('it is the same after a restart, and for an imported chat', () => {
    fc.assert(
      fc.property(anyLog, anyGrade, anyMark, (log, text, from) => {
        const reasoning = { text, from }
        expect(JSON.stringify(wire(modelView(reread(log), { reasoning })))).toBe(
          JSON.stringify(wire(modelView(log, { reasoning }))),
        )
      }),
      runs(200),
    )
  })

  it('Anthropic’s turns are legal: they alternate, thoughts stand in front of what came of them, calls have their results', () => {
    fc.assert(
      fc.property(anyLog, anyGrade, anyMark, (log, text, from) => {
        const talk = turns(modelView(log, { reasoning: { text, from } }))
        talk.forEach(({ role, content }, at) => {
          expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant')
          expect(content.length).toBeGreaterThan(0)
          if (role === 'user') return expect(content.every(({ type }) => !/thinking|tool_use/.test(type))).toBe(true)
          expect(content.at(-1)?.type).not.toMatch(/thinking/)
          for (const block of content)
            if (block.type === 'thinking')
              expect([typeof block['thinking'], typeof block['signature'], 'index' in block]).toEqual([
                'string',
                'string',
                false,
              ])
          const asked = content.filter(({ type }) => type === 'tool_use').map(block => block['id'])
          const given = (talk[at + 1]?.content ?? [])
            .filter(({ type }) => type === 'tool_result')
            .map(block => block['tool_use_id'])
          expect(given.slice(0, asked.length).toSorted()).toEqual(asked.toSorted())
        })
      }),
      runs(200),
    )
  })

  it('what is counted is what is sent, and what is not sent costs nothing', () => {
    const counter = bytesOver(4)
    fc.assert(
      fc.property(anyLog, anyGrade, anyMark, (log, text, from) => {
        const sum = (views: readonly ViewMessage[]): number =>
          views.reduce((total, { message }) => total + counter.message(message), 0)
        const size = (view: object): number => requestSize([...log], { counter, system: '', tools: [], view }).total
        const reasoning = { text, from }
        expect(size({ reasoning })).toBe(sum(modelView(log, { reasoning })))
        expect(size({ reasoning: { text: 'nothing', from: 'C' } })).toBe(sum(modelView(log)))
        expect(size({ reasoning })).toBeGreaterThanOrEqual(size({}))
      }),
      runs(200),
    )
  })

  it('a request begins as the one before it (C2.6): with any grade up to the question that runs, with most of them whole', () => {
    fc.assert(
      fc.property(anyLog, anyGrade, anyMark, (log, text, from) => {
        const reasoning = { text, from }
        // a request was made then
        const asks = (end: number): boolean => log[end - 1]?.type === 'user' || log[end - 1]?.type === 'result'
        for (let end = 1; end <= log.length; end++) {
          if (!asks(end)) continue
          const next = log.findIndex((entry, i) => i >= end && (entry.type === 'user' || entry.type === 'result'))
          if (next < 0) return
          const between = log.slice(end, next + 1)
          if (between.some(entry => ['shorten', 'strip', 'cut', 'pin', 'undo', 'summary'].includes(entry.type)))
            continue
          const before = wireOf(log.slice(0, end))
          const after = wireOf(log.slice(0, next + 1))
          if (
            JSON.stringify(plainOf(log.slice(0, next + 1)).slice(0, before.length)) !==
            JSON.stringify(plainOf(log.slice(0, end)))
          )
            continue // repair moved a late result
          const isContinued = before.at(-1)?.role !== 'assistant' && text !== 'running turn'
          const same = isContinued ? before.length : before.findLastIndex(({ role }) => role === 'user') + 1
          expect(after.slice(0, same)).toEqual(before.slice(0, same))
        }
        function wireOf(part: Log): WireMessage[] {
          return wire(modelView(part, { reasoning }))
        }
        function plainOf(part: Log): WireMessage[] {
          return wire(modelView(part))
        }
      }),
      runs(200),
    )
  })
})
