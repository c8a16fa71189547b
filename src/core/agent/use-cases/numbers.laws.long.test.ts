/** What a person is told of what left and of what will leave, against the log, for random acts (C9.6). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { strategyNames, type StrategyName } from '../../context/strategy.ts'
import { isFact } from '../../log/query.ts'
import { factsRemovedBy } from '../../log/model-view/removed-counts.ts'
import { lives } from '../../text/laws.fixture.ts'
import { testAgent, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'

type Act =
  | { do: 'say'; words: number; answer: number; calls: number }
  | { do: 'clear' | 'compact' | 'undo' | 'redo' }
  | { do: 'strategy'; name: StrategyName }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      words: fc.oneof(fc.constant(0), fc.nat(400), fc.nat(400), fc.constant(4_800)),
      answer: fc.nat(400),
      calls: fc.nat(2),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      { do: 'clear' as const },
      { do: 'compact' as const },
      { do: 'compact' as const },
      { do: 'undo' as const },
      { do: 'redo' as const },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('strategy' as const),
      name: fc.constantFrom('cowagent' as const, ...strategyNames),
    }),
  },
)
/** How often each thing happened over all lives: a law over lives in which nothing happens would say nothing. */
const seen = {
  foretold: 0,
  turnsForetold: 0,
  nothingForetold: 0,
  compacted: 0,
  cleared: 0,
  late: 0,
  stripped: 0,
  emergency: 0,
  undone: 0,
}

const numbers = (text: string): number[] => (text.replaceAll(/[,\u00a0]/g, '').match(/\d+/g) ?? []).map(Number)
const words = (count: number, of: string): string => Array.from({ length: count }, (_, n) => `${of}${n % 7}`).join(' ')

class Life {
  readonly #b: TestAgent
  readonly #id = 's'
  #answer = { words: 0, calls: 0 }

  constructor() {
    let calls = 0
    this.#b = testAgent(
      request => {
        if (request.tools.length === 0) return 'No summary.'
        if (this.#answer.calls-- > 0) return { calls: [{ name: 'get_time', arguments: { n: calls++ } }] }
        return words(this.#answer.words + 1, 'answer')
      },
      { model: { local: false, contextWindow: 12_000 } },
    )
  }

  async begin(): Promise<void> {
    await this.#b.store.createSession({
      id: this.#id,
      title: 'x',
      createdAt: 0,
      updatedAt: 0,
      leaf: null,
      model: 'scripted',
      strategy: 'cowagent',
      config: { agent_max_context_turns: 4, agent_max_context_tokens: 3_500 },
    })
  }

  async #log() {
    return this.#b.log(this.#id)
  }

  /** Ids of the facts that would be sent now. */
  async #sent(): Promise<Set<string>> {
    const facts = new Set((await this.#log()).filter(isFact).map(({ id }) => id))
    return new Set(
      (await this.#b.agent.view(this.#id)).flatMap(({ entry }) => (entry !== null && facts.has(entry) ? [entry] : [])),
    )
  }

  async #note(command: string): Promise<{ note: string; data: Record<string, unknown> }> {
    await this.#b.agent.command(this.#id, command)
    const note = (await this.#log()).findLast(entry => entry.type === 'note' && entry.code === 'command')
    return note?.type === 'note' ? { note: note.text, data: note.data ?? {} } : { note: '', data: {} }
  }

  async live(act: Act): Promise<void> {
    const { agent } = this.#b
    const before = await this.#sent()
    switch (act.do) {
      case 'say':
        return this.#say(act)
      case 'strategy':
        await agent.choose(this.#id, { strategy: act.name })
        return
      case 'undo':
      case 'redo': {
        const { note } = await this.#note(`/${act.do}`)
        const change = Math.abs((await this.#sent()).size - before.size)
        if (/messages? (?:is|are|has|have) /.test(note)) expect(numbers(note)[0]).toBe(change)
        else expect(change).toBe(0)
        seen.undone += change > 0 ? 1 : 0
        return
      }
      case 'clear': {
        const { note } = await this.#note('/clear')
        if (before.size > 0) expect(numbers(note)[0]).toBe(before.size)
        else if (!note.includes('0 messages')) expect(note).toContain('nothing to clear')
        expect((await this.#sent()).size).toBe(0)
        seen.cleared += before.size > 0 ? 1 : 0
        return
      }
      case 'compact': {
        const size = (await agent.context(this.#id)).total
        const { note } = await this.#note('/compact')
        const left = before.size - (await this.#sent()).size
        const card = (await this.#log()).findLast(entry => entry.type === 'summary')
        if (note.startsWith('There is nothing') || note.startsWith('Compacting would')) {
          expect(left).toBe(0)
          return
        }
        expect(numbers(note).slice(0, 2)).toEqual([left, size])
        expect(card).toMatchObject({ stats: { entries: left, before: size } })
        seen.compacted++
        return
      }
      default:
        return
    }
  }

  async #say({ words: length, answer, calls }: Act & { do: 'say' }): Promise<void> {
    const typed = words(length + 1, 'question')
    await this.#b.agent.saveDraft(this.#id, typed)
    const { next } = await this.#b.agent.context(this.#id)
    const told = (await this.#note('/context')).note
    this.#answer = { words: answer, calls }
    await sendAndSettle(this.#b, this.#id, typed)
    const log = await this.#log()
    const question = log.findLastIndex(entry => entry.type === 'user')
    const answered = log.findIndex((entry, at) => at > question && entry.type === 'assistant')
    const added = log.slice(question + 1, answered < 0 ? undefined : answered)
    const left = factsRemovedBy(log.slice(0, question + 1), added)
    expect([left.length, added.filter(({ type }) => type === 'shorten').length]).toEqual([
      next.messages,
      next.shortened,
    ])
    expect(next.why).toBe(
      added.findLast(entry => entry.type === 'cut')?.reason ??
        (added.some(entry => entry.type === 'strip') ? 'strip' : undefined),
    )
    if (added.some(entry => entry.type === 'note' && entry.code === 'overflow_rung')) seen.emergency++
    if (next.why === 'turns') {
      seen.turnsForetold++
      expect(added.some(entry => entry.type === 'cut' && entry.reason === 'turns')).toBe(true)
    }
    seen[next.messages > 0 ? 'foretold' : 'nothingForetold']++
    if (next.messages > 0) expect(told).toContain(`With your next message ${next.messages} message`)
    else if (next.shortened === 0) expect(told).toContain('Your next message takes nothing out of the window.')
  }

  /** What holds after each act. */
  async check(): Promise<void> {
    const { agent } = this.#b
    await until(async () => !(await this.#owes()))
    const info = await agent.context(this.#id)
    const sent = await this.#sent()
    const log = await this.#log()
    const types = log.filter(entry => sent.has(entry.id)).map(({ type }) => type)
    const roles = {
      user: types.filter(type => type === 'user').length,
      assistant: types.filter(type => type === 'assistant').length,
      tool: types.filter(type => type === 'result').length,
    }
    expect({ messages: info.messages, roles: info.roles, turns: info.turns }).toEqual({
      messages: sent.size,
      roles,
      turns: roles.user,
    })
    if (sent.size === 0) expect(info.characters).toBe(0)
    const note = (await this.#note('/context')).note
    expect(numbers(note).slice(0, 6)).toEqual([
      sent.size,
      roles.user,
      roles.assistant,
      roles.tool,
      roles.user,
      info.characters,
    ])
    for (const edit of info.removed) {
      if (edit.kind === 'cut') expect(edit.count).toBe(info.removedByEdit[edit.entry!]?.messages)
      if (edit.kind === 'stripped') expect(edit.count).toBe(info.removedByEdit[edit.entry!]?.turns)
      if (edit.kind === 'stripped') seen.stripped++
    }
    // A summary tells the numbers of its cut, whenever it came.
    for (const [at, entry] of log.entries()) {
      if (entry.type !== 'summary' || entry.by === 'person') continue
      const cut = log.findIndex(({ id }) => id === entry.of)
      expect(entry.stats.entries).toBe(factsRemovedBy(log.slice(0, cut), [log[cut]!]).length)
      if (at > cut + 1) seen.late++
    }
  }

  /** A summary is still to come. */
  async #owes(): Promise<boolean> {
    const log = await this.#log()
    const lifted = new Set(log.flatMap(entry => (entry.type === 'undo' ? [entry.target] : [])))
    return log.some(
      entry =>
        entry.type === 'cut' &&
        (entry.reason === 'turns' || entry.reason === 'budget') &&
        !lifted.has(entry.group) &&
        !log.some(
          other => other.type === 'summary' && (other.of === entry.id || log.indexOf(other) > log.indexOf(entry)),
        ),
    )
  }
}

/** A life of these takes as long as three of the other laws', for after each act all numbers are looked at. */
const numRuns = Math.ceil(lives().numRuns / 3)

it(
  'whatever is done, what is said of what left and will leave is what the log shows',
  { timeout: 120_000 + numRuns * 5_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 20 }), async acts => {
        const life = new Life()
        await life.begin()
        for (const act of acts) {
          await life.live(act)
          await life.check()
        }
      }),
      { numRuns },
    )
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0)
  },
)
