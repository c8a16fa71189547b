/**
 * Sessions of Codex: lines of `{timestamp, type, payload}`, or, in files of 2025, a header and bare items. The talk
 * stands twice in them: as items, which are read, and as events for the screen. Pure.
 */
import type { ForeignChat } from '../../shape/foreign-chat.ts'
import { isObject, type JsonObject } from '../../../log/file-format/json-fields.ts'
import { countOf, filledText, idOf, madeId, objectOf, stringOf, timeOf } from '../../shape/fields.ts'
import type { ExportReader, Findings, Format, SourcePiece } from '../../shape/reader.ts'
import { attached, finishedChat } from '../finished-chat.ts'
import { foreign } from '../item-tree.ts'
import { callOf, outputOf, messageParts, reasoningOf, lastUsage } from './response-item.ts'
import { Steps, type Place } from './steps.ts'

export const codex: Format = { app: 'codex', begin: findings => new CodexReader(findings) }

/** A line, taken out of its envelope. */
type Line = { kind: string; item: JsonObject; line: number; raw: unknown; at: number | undefined /* ms */ }

class CodexReader implements ExportReader {
  readonly #findings: Findings
  readonly #lines: Line[] = []
  #head: JsonObject | undefined
  #firstLine: number | undefined

  constructor(findings: Findings) {
    this.#findings = findings
  }

  take({ value, at }: SourcePiece): ForeignChat[] {
    this.#firstLine ??= at
    if (!isObject(value)) {
      this.#findings.bad.push({ line: at, why: 'no object' })
      return []
    }
    const line = unwrapped(value, at)
    // A session that was forked brings the header of the one it came from behind its own.
    if (line.kind === 'session_meta') this.#head ??= line.item
    else this.#lines.push(line)
    return []
  }

  end(): ForeignChat[] {
    if (this.#firstLine === undefined) return []
    const lines = this.#lines.splice(0)
    const head = this.#head ?? {}
    const session = new CodexSession(this.#findings, lines)
    for (const line of lines) session.read(line)
    return finishedChat(
      {
        id: idOf(head['id']) ?? `codex-${madeId(lines[0]?.raw)}`,
        title: session.title,
        createdAt: timeOf(head['timestamp']),
        updatedAt: lines.findLast(({ at }) => at !== undefined)?.at,
        system: [stringOf(head['instructions']), stringOf(objectOf(head['base_instructions'])['text'])],
        rows: session.steps.rows(),
        leaf: session.steps.leaf,
      },
      this.#findings,
      this.#firstLine,
    )
  }
}

function unwrapped(value: JsonObject, line: number): Line {
  const at = timeOf(value['timestamp'])
  if (isObject(value['payload'])) return { kind: stringOf(value['type']), item: value['payload'], line, raw: value, at }
  const isHead = !('type' in value) && 'timestamp' in value && idOf(value['id']) !== undefined
  const kind = isHead ? 'session_meta' : 'record_type' in value ? 'state' : 'response_item'
  return { kind, item: value, line, raw: value, at }
}

class CodexSession {
  readonly steps = new Steps()
  title: string | undefined
  readonly #findings: Findings
  /** What stands as items, so that its copy among the events is known. */
  readonly #said = { user: new Set<string>(), assistant: new Set<string>(), reasoning: new Set<string>() }

  constructor(findings: Findings, lines: readonly Line[]) {
    this.#findings = findings
    for (const { kind, item } of lines) {
      if (kind !== 'response_item') continue
      if (item['type'] === 'reasoning') this.#said.reasoning.add('')
      if (item['type'] !== 'message') continue
      const { text } = messageParts(item['content'])
      if (item['role'] === 'user' && text.trim() !== '') this.#said.user.add(text.trim())
      if (item['role'] === 'assistant') this.#said.assistant.add(text.trim())
    }
  }

  read(line: Line): void {
    const place: Place = { id: `line-${line.line}`, at: line.at }
    const { item } = line
    switch (line.kind) {
      case 'response_item':
        return this.#item(line, place)
      case 'event_msg':
        return this.#event(line, place)
      case 'turn_context':
        this.steps.model = filledText(item['model']) ?? this.steps.model
        return
      case 'compacted': {
        const text = filledText(item['message'])
        // Without words it is sealed: nobody but its provider can read it.
        this.steps.endTurn()
        this.steps.add(place, text === undefined ? foreign(line.raw, 'unknown') : { kind: 'summary', text })
        return
      }
      case 'state':
        return
      default:
        this.#unknown(line, place)
    }
  }

  #item(line: Line, place: Place): void {
    const { item } = line
    const call = callOf(item, place.id)
    if (call) return this.steps.call(place, call)
    switch (item['type']) {
      case 'message':
        return this.#message(line, place)
      case 'reasoning': {
        const text = reasoningOf(item)
        if (text !== '') this.steps.answer(place).reasoning.push(text)
        return
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
        return this.steps.result(place, idOf(item['call_id']) ?? place.id, outputOf(item['output']))
      case 'tool_search_output':
        return this.steps.result(place, idOf(item['call_id']) ?? place.id, outputOf(item['tools']))
      case 'image_generation_call': {
        const base64 = stringOf(item['result'])
        if (base64 === '') return
        const { files } = this.steps.answer(place)
        files.push({ name: `image-${files.length + 1}.png`, mime: 'image/png', base64 })
        return
      }
      case 'ghost_snapshot': // of the working folder
        return
      case 'web_search_call': // the provider ran it itself, and gives its result to nobody
      case 'compaction':
      case 'compaction_summary':
      case 'context_compaction':
        return this.steps.add(place, foreign(line.raw, 'unknown'))
      default:
        this.#unknown(line, place)
    }
  }

  #message(line: Line, place: Place): void {
    const { item } = line
    const { text, files, injected } = messageParts(item['content'])
    switch (item['role']) {
      case 'user':
        if (injected.length > 0) {
          const all = text.trim() === '' && files.length === 0
          this.steps.endTurn()
          this.steps.add(
            all ? place : { ...place, id: `${place.id}-injected` },
            foreign(all ? line.raw : { ...item, content: injected }, 'injected'),
          )
          if (all) return
        }
        return this.steps.add(place, { kind: 'user', text, ...attached(files) })
      case 'assistant': {
        const answer = this.steps.answer(place)
        answer.texts.push(text)
        answer.files.push(...files)
        return
      }
      case 'developer':
      case 'system':
        this.steps.endTurn()
        return this.steps.add(place, foreign(line.raw, 'injected'))
      default:
        this.#unknown(line, place)
    }
  }

  /** Most events are for the screen. */
  #event(line: Line, place: Place): void {
    const { item } = line
    const text = stringOf(item['message'])
    switch (item['type']) {
      case 'user_message':
        if (this.#isCopy('user', line, place, text) || messageParts(text).injected.length > 0) return
        return this.steps.add(place, { kind: 'user', text })
      case 'agent_message':
        if (!this.#isCopy('assistant', line, place, text)) this.steps.answer(place).texts.push(text)
        return
      case 'agent_reasoning':
        if (this.#said.reasoning.size === 0) this.steps.answer(place).reasoning.push(stringOf(item['text']))
        return
      case 'token_count': {
        const usage = lastUsage(item['info'])
        if (usage) this.steps.used(usage)
        return
      }
      case 'task_complete':
      case 'turn_complete':
        return this.steps.endTurn()
      case 'turn_aborted':
        return this.steps.stopped()
      case 'thread_rolled_back':
        return this.steps.takeBack(Math.trunc(countOf(item['num_turns']) ?? 0))
      case 'thread_name_updated':
        this.title = filledText(item['thread_name']) ?? this.title
    }
  }

  /** Words that stand as no item although others do are kept beside the talk: they may be the same in another form. */
  #isCopy(role: 'user' | 'assistant', line: Line, place: Place, text: string): boolean {
    const said = this.#said[role]
    if (said.size === 0) return text.trim() === ''
    if (text.trim() !== '' && !said.has(text.trim()) && messageParts(text).injected.length === 0)
      this.steps.add(place, foreign(line.raw, 'unknown'))
    return true
  }

  #unknown(line: Line, place: Place): void {
    const what = line.kind === 'response_item' ? stringOf(line.item['type']) : line.kind
    this.#findings.kept.push({ line: line.line, why: `unknown line ${what}`.trimEnd() })
    this.steps.add(place, foreign(line.raw, 'unknown'))
  }
}
