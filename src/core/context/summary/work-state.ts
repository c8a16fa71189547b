/** What the calls of an agent did: files and their state, commands that worked, what failed. */
import type { FactEntry } from '../../log/entry.ts'
import { clipped } from './clipped.ts'
import { callTexts, type CallText } from './call-arguments.ts'
import { failingTests, firstTelling, isFailed } from './failures.ts'

export type FileState = 'written' | 'edited' | 'read'
export type DoneCommand = { text: string; at: number }
export type Failure = { text: string; at: number; order: number }

type Pending = { tool: string; arguments: string; texts: readonly CallText[]; command: string | undefined }

/** Failed calls that are told at most. Source: C6.5 and its models. */
const mostFailures = 8
const longestFailure = 260 // UTF-16 units
/** Commands and files that are remembered at most, the newest. */
const mostRemembered = 600
/** A command that runs tests. */
const testRun = /\b(?:test|tests|spec|specs|vitest|jest|pytest|mocha|check)\b/
const reads = /read|view|open|cat/i

export class WorkState {
  readonly files = new Map<string, FileState>()
  readonly #commands = new Map<string, DoneCommand>()
  readonly #pending = new Map<string, Pending>()
  readonly #failures = new Map<string, Failure>()

  /** Takes in a call; what it did is known with its result. */
  call(call: { id: string; name: string; arguments: string }): readonly CallText[] {
    const texts = callTexts(call)
    const command = texts.find(({ what }) => what === 'command')?.text
    this.#pending.set(call.id, {
      tool: call.name,
      arguments: call.arguments,
      texts,
      command: command && oneLine(command),
    })
    if (this.#pending.size > mostRemembered) this.#pending.delete(this.#pending.keys().next().value ?? '')
    return texts
  }

  result(fact: FactEntry & { type: 'result' }, text: string, at: number, order: () => number): void {
    const call = this.#pending.get(fact.callId)
    this.#pending.delete(fact.callId)
    const tests = call?.command !== undefined && testRun.test(call.command) ? failingTests(text) : undefined
    const what = call === undefined ? fact.tool : `${fact.tool} ${clipped(call.command ?? oneLine(call.arguments), 80)}`
    if (fact.isError || isFailed(text) || tests !== undefined) {
      const line = tests ?? firstTelling(text)
      if (call?.command !== undefined) this.#commands.delete(call.command)
      if (line !== undefined) this.failed({ text: clipped(`${what}: ${line}`, longestFailure), at, order: order() })
      return
    }
    if (call === undefined) return
    this.#works(`${what}: `)
    if (call.command !== undefined) this.done(call.command, at)
    const path = call.texts.find(({ what }) => what === 'path')?.text
    if (path === undefined) return
    const wrote = call.texts.some(({ what }) => what === 'new text')
    const edited = call.texts.some(({ what }) => what === 'old text')
    if (wrote || edited) this.file(path, edited ? 'edited' : 'written')
    else if (reads.test(call.tool) && !this.files.has(path)) this.file(path, 'read')
  }

  file(path: string, state: FileState): void {
    // A file that was written here and edited since is still one that was written here.
    const known = this.files.get(path)
    this.files.delete(path)
    this.files.set(path, known === 'written' && state === 'edited' ? known : state)
    keepNewest(this.files, mostRemembered * 4)
  }

  done(command: string, at: number): void {
    this.#commands.delete(command)
    this.#commands.set(command, { text: command, at })
    keepNewest(this.#commands, mostRemembered)
  }

  failed(failure: Failure): void {
    this.#failures.delete(failure.text)
    this.#failures.set(failure.text, failure)
    keepNewest(this.#failures, mostFailures * 8)
  }

  /** What failed before works now. */
  #works(start: string): void {
    for (const text of this.#failures.keys()) if (text.startsWith(start)) this.#failures.delete(text)
  }

  /** Commands that worked when they ran last, the newest last. */
  commands(): DoneCommand[] {
    return [...this.#commands.values()]
  }

  /** The newest calls that failed and did not work since, in their order. */
  failures(): Failure[] {
    return [...this.#failures.values()].slice(-mostFailures)
  }
}

/** A command or arguments on one line: of a text that is written into it only that it is one. */
function oneLine(text: string): string {
  return clipped(text.split('\n', 1)[0]!.replace(/\s+/g, ' ').trim(), 160)
}

function keepNewest(map: Map<string, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value ?? '')
}
