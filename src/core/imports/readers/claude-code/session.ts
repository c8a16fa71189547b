/** The rows of one session of Claude Code, and those of the sessions that it goes on from. Pure. */
import type { ForeignChat } from '../../shape/foreign-chat.ts'
import type { JsonObject } from '../../../log/file-format/json-fields.ts'
import { filledText, idOf, joinTexts, objectOf, rawJson, stringOf, timeOf } from '../../shape/fields.ts'
import type { Findings } from '../../shape/reader.ts'
import { attached, finishedChat, present } from '../finished-chat.ts'
import { foreign, type ItemContent, type TreeRow } from '../item-tree.ts'
import { AnswerOfRows, resultContent } from './answer.ts'
import { answerOf, contentBlocks, fileOf, type ToolAnswer } from './blocks.ts'
import { standingRow } from './standing-row.ts'
import { isProgramText, personsWords, typedCommand } from './words.ts'

/** A row as it stands in the file. */
export type SourceRow = { row: JsonObject; line: number }

/** What tells about the program, and nothing of the talk. */
const bookkeeping = new Set<unknown>([
  'progress',
  'file-history-snapshot',
  'last-prompt',
  'permission-mode',
  'mode',
  'agent-name',
  'agent-color',
  'agent-setting',
  'pr-link',
  'tag',
  'worktree-state',
  'attribution-snapshot',
  'content-replacement',
  'speculation-accept',
  'task-summary',
  'summary',
  'custom-title',
  'ai-title',
])
const bookkeepingOfSystem = new Set<unknown>(['turn_duration', 'stop_hook_summary', 'compact_boundary', 'api_metrics'])

export class ClaudeCodeSession {
  readonly #findings: Findings
  readonly #rows: TreeRow[] = []
  /** Of rows that are a part of something else: the row that this became. */
  readonly #partOf = new Map<string, string>()
  readonly #answers = new Map<string, AnswerOfRows>()
  readonly #askedBy = new Map<string, AnswerOfRows>()
  /** Commands behind which the program wrote down what they stand for. */
  readonly #expanded = new Set<string>()
  readonly #known = new Set<string>()
  /** What the person said in rows of their own. */
  readonly #said = new Set<string>()
  /** The oldest row that a compaction left whole, by the row of its border. */
  readonly #keptFrom = new Map<string, string>()
  #last: string | null = null
  #updatedAt: number | undefined

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** The chat. `title`: of each row of a title, the words for the newest row that it is about. */
  chat(id: string, source: readonly SourceRow[], titles: ReadonlyMap<string, string>): ForeignChat[] {
    const rows = withoutCopies(source)
    for (const { row, line } of rows) this.#lookAt(row, line)
    for (const { row, line } of rows) this.#read(row, line)
    const named = rows.findLast(({ row }) => titles.has(stringOf(row['uuid'])))
    return finishedChat(
      {
        id,
        title: titles.get(id) ?? (named && titles.get(stringOf(named.row['uuid']))),
        updatedAt: this.#updatedAt,
        rows: this.#placed(),
        leaf: this.#last ?? undefined,
        // The file of a sub-agent: together with the session that it belongs to, it is one chat.
        mayBeSilent: rows.some(({ row }) => row['isSidechain'] === true),
      },
      this.#findings,
      source[0]!.line,
    )
  }

  /** What must be known before the rows are read in order. */
  #lookAt(row: JsonObject, line: number): void {
    if (row['isSidechain'] === true) return
    const message = objectOf(row['message'])
    const uuid = nameOf(row, line)
    this.#known.add(uuid)
    const parent = idOf(row['parentUuid']) ?? null
    if (isAnswer(row)) {
      const key = idOf(message['id']) ?? uuid
      const answer = this.#answers.get(key) ?? new AnswerOfRows(uuid, timeOf(row['timestamp']))
      this.#answers.set(key, answer)
      for (const call of answer.add(message, parent)) this.#askedBy.set(call, answer)
      if (answer.id !== uuid) this.#partOf.set(uuid, answer.id)
    } else if (row['type'] === 'user') {
      const text = textOf(message['content'])
      if (row['isMeta'] !== true) this.#said.add(text.trim())
      else if (parent !== null && !isProgramText(text)) this.#expanded.add(parent)
    } else if (row['type'] === 'attachment') this.#said.add(textOf(objectOf(row['attachment'])['prompt']).trim())
    else if (row['subtype'] === 'compact_boundary') {
      const kept = objectOf(objectOf(row['compactMetadata'])['preservedSegment'])
      const head = idOf(kept['headUuid'])
      if (head !== undefined) this.#keptFrom.set(uuid, head)
    }
  }

  #read(row: JsonObject, line: number): void {
    const uuid = nameOf(row, line)
    const at = timeOf(row['timestamp'])
    if (row['isSidechain'] === true) {
      if (row['type'] !== 'progress') this.#aside(uuid, foreign(row, 'sidechain'), at)
      return
    }
    if (isAnswer(row)) {
      const answer = this.#answers.get(idOf(objectOf(row['message'])['id']) ?? uuid)!
      // Its place is that of its first row; what it follows is found when all rows are known.
      if (answer.id === uuid) this.#rows.push({ id: uuid, parent: null })
      this.#last = answer.id
    } else if (row['type'] === 'user') this.#user(row, uuid, at)
    else if (row['type'] === 'queue-operation') this.#queued(row, uuid, at)
    else if (idOf(row['uuid']) === undefined) {
      if (!bookkeeping.has(row['type'])) this.#unknown(row, line, at)
    } else this.#other(row, line, at)
    if (idOf(row['uuid']) !== undefined) this.#updatedAt = at ?? this.#updatedAt
  }

  #user(row: JsonObject, uuid: string, at: number | undefined): void {
    const message = objectOf(row['message'])
    const blocks = contentBlocks(message['content'])
    if (row['isCompactSummary'] === true) {
      const firstKept = this.#keptFrom.get(stringOf(row['parentUuid']))
      const text = textOf(message['content'])
      return this.#put(row, uuid, at, { kind: 'summary', text, ...present({ firstKept }) })
    }
    const results = blocks.filter(block => block['type'] === 'tool_result').map(answerOf)
    const own = this.#results(row, uuid, at, results)
    if (row['isMeta'] === true || row['isVisibleInTranscriptOnly'] === true)
      return this.#put(row, uuid, at, foreign(row, row['isMeta'] === true ? 'injected' : 'hidden'))
    const files = blocks.flatMap((block, i) => fileOf(block, i + 1) ?? [])
    const said = blocks.filter(block => block['type'] === 'text')
    const words = said.map(block => this.#wordsOf(stringOf(block['text']), uuid))
    const text = joinTexts(words)
    if (text === '' && files.length === 0) {
      if (own) return
      if (results.length > 0 && said.length === 0)
        return void this.#partOf.set(uuid, this.#askedBy.get(results.at(-1)!.callId)!.id)
      return this.#put(row, uuid, at, foreign(row, 'injected'))
    }
    const injected = said.filter((block, i) => words[i] === '' && stringOf(block['text']).trim() !== '')
    const content: ItemContent = { kind: 'user', text, ...attached(files) }
    if (own) this.#behind(`${uuid}-said`, uuid, content, at)
    else this.#put(row, uuid, at, content)
    if (injected.length > 0) this.#behind(`${uuid}-injected`, uuid, foreign(injected, 'injected'), at)
  }

  /** Gives results to the answers that asked for them. True: one had none, and stands for the row. */
  #results(row: JsonObject, uuid: string, at: number | undefined, results: readonly ToolAnswer[]): boolean {
    let own = false
    for (const [i, result] of results.entries()) {
      const id = i === 0 ? `${uuid}-result` : `${uuid}-result-${i + 1}`
      const answer = this.#askedBy.get(result.callId)
      if (answer) {
        answer.answered(id, result, at)
        continue
      }
      const content = { ...resultContent(result), ...present({ at }) }
      if (own) this.#behind(id, uuid, content, at)
      else this.#put(row, uuid, at, content)
      own = true
    }
    return own
  }

  #wordsOf(text: string, uuid: string): string {
    const command = typedCommand(text)
    // A command without more is for the program itself, such as /clear.
    return command && command.args === '' && !this.#expanded.has(uuid) ? '' : personsWords(text)
  }

  /** What was typed while the model worked. It went to the model in a row of its own, or it stands nowhere else. */
  #queued(row: JsonObject, uuid: string, at: number | undefined): void {
    const text = stringOf(row['content'])
    if (personsWords(text).trim() === '' || this.#said.has(text.trim())) return
    this.#aside(uuid, foreign(row, 'unknown'), at)
  }

  #other(row: JsonObject, line: number, at: number | undefined): void {
    const uuid = nameOf(row, line)
    switch (row['type']) {
      case 'attachment': {
        const attachment = objectOf(row['attachment'])
        const text = attachment['type'] === 'queued_command' ? personsWords(textOf(attachment['prompt'])) : ''
        const typed = attachment['commandMode'] === undefined || attachment['commandMode'] === 'prompt'
        if (text.trim() === '' || !typed) return this.#put(row, uuid, at, foreign(row, 'injected'))
        const files = contentBlocks(attachment['prompt']).flatMap((block, i) => fileOf(block, i + 1) ?? [])
        return this.#put(row, uuid, at, { kind: 'user', text, ...attached(files) })
      }
      case 'system':
        if (bookkeepingOfSystem.has(row['subtype'])) return this.#pass(row, uuid)
        return this.#put(row, uuid, at, foreign(row, 'injected'))
      case 'assistant': // of the program: an error of the server, for instance
        return this.#put(row, uuid, at, foreign(row, 'injected'))
      default:
        if (bookkeeping.has(row['type'])) return this.#pass(row, uuid)
        this.#findings.kept.push({ line, why: `unknown row ${stringOf(row['type'])}`.trimEnd() })
        this.#put(row, uuid, at, foreign(row, 'unknown'))
    }
  }

  #unknown(row: JsonObject, line: number, at: number | undefined): void {
    this.#findings.kept.push({ line, why: `unknown row ${stringOf(row['type'])}`.trimEnd() })
    this.#aside(nameOf(row, line), foreign(row, 'unknown'), at)
  }

  #put(row: JsonObject, uuid: string, at: number | undefined, content: ItemContent): void {
    this.#rows.push({ id: uuid, parent: this.#parentOf(row), content: { ...content, ...present({ at }) } })
    this.#last = uuid
  }

  #pass(row: JsonObject, uuid: string): void {
    this.#rows.push({ id: uuid, parent: this.#parentOf(row) })
    if (row['type'] !== 'progress') this.#last = uuid
  }

  /** Behind what came last, without a branch of its own. */
  #aside(uuid: string, content: ItemContent, at: number | undefined): void {
    this.#behind(uuid, this.#last, content, at)
  }

  #behind(id: string, parent: string | null, content: ItemContent, at: number | undefined): void {
    this.#rows.push({ id, parent, content: { ...content, ...present({ at }) }, behind: true })
  }

  /** A compaction begins a tree of its own; what it followed is told beside, or is what came before it. */
  #parentOf(row: JsonObject): string | null {
    const parent = idOf(row['parentUuid']) ?? idOf(row['logicalParentUuid'])
    const isBorder = row['isCompactSummary'] === true || row['subtype'] === 'compact_boundary'
    if (isBorder && (parent === undefined || !this.#known.has(parent))) return this.#last
    return parent ?? null
  }

  #placed(): TreeRow[] {
    const answers = new Map([...this.#answers.values()].map(answer => [answer.id, answer]))
    const isPart = (row: TreeRow): boolean => row.content !== undefined || answers.has(row.id)
    const passed = new Map(this.#rows.filter(row => !isPart(row)).map(({ id, parent }) => [id, parent]))
    const standing = standingRow(passed, this.#partOf)
    return this.#rows.flatMap(row => {
      const answer = row.content === undefined ? answers.get(row.id) : undefined
      if (answer === undefined)
        return [row.parent === null ? row : { ...row, parent: this.#partOf.get(row.parent) ?? row.parent }]
      const parents = answer.parents.map(standing)
      return answer.rows(parents.find(parent => parent !== null && parent !== answer.id) ?? null)
    })
  }
}

/** Whether a row is a part of what a model answered. */
function isAnswer(row: JsonObject): boolean {
  if (row['type'] !== 'assistant' || row['isSidechain'] === true) return false
  return row['isApiErrorMessage'] !== true && objectOf(row['message'])['model'] !== '<synthetic>'
}

/** A row without an id is named by its line. */
const nameOf = (row: JsonObject, line: number): string => idOf(row['uuid']) ?? `line-${line}`

const textOf = (content: unknown): string =>
  joinTexts(contentBlocks(content).map(block => (block['type'] === 'text' ? stringOf(block['text']) : '')))

/** Some versions wrote the same rows again. */
function withoutCopies(rows: readonly SourceRow[]): SourceRow[] {
  const first = new Map<string, { row: JsonObject; json?: string }>()
  return rows.flatMap(({ row, line }) => {
    const uuid = filledText(row['uuid'])
    if (uuid === undefined) return [{ row, line }]
    const known = first.get(uuid)
    if (known === undefined) {
      first.set(uuid, { row })
      return [{ row, line }]
    }
    known.json ??= rawJson(known.row['message'])
    if (row['type'] === known.row['type'] && rawJson(row['message']) === known.json) return []
    return [{ row: { ...row, uuid: `${uuid}#${line}` }, line }]
  })
}
