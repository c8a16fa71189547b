/** One answer of Claude Code, which stands in several rows. Pure. */
import type { ForeignAttachment } from '../../shape/foreign-chat.ts'
import type { StopReason, ToolCall, Usage } from '../../../log/message.ts'
import type { JsonObject } from '../../../log/file-format/json-fields.ts'
import { argumentsOf, filledText, idOf, joinTexts, objectOf, stringOf } from '../../shape/fields.ts'
import { attached, present } from '../finished-chat.ts'
import { foreign, type ItemContent, type TreeRow } from '../item-tree.ts'
import { answerOf, contentBlocks, fileOf, stopOf, usageOfAnswer, type ToolAnswer } from './blocks.ts'

/** The answer of one message id. */
export class AnswerOfRows {
  readonly id: string
  /** What its rows follow, in their order. */
  readonly parents: (string | null)[] = []
  readonly #at: number | undefined
  readonly #texts = new Set<string>()
  readonly #thoughts = new Set<string>()
  readonly #calls = new Map<string, ToolCall>()
  readonly #files: ForeignAttachment[] = []
  /** By call, then by text: the same result twice is one. */
  readonly #results = new Map<string, Map<string, { id: string; at: number | undefined; answer: ToolAnswer }>>()
  readonly #unknown: JsonObject[] = []
  #model: string | undefined
  #stop: StopReason | undefined
  #usage: Usage | undefined

  /** `at`: ms since epoch. */
  constructor(id: string, at: number | undefined) {
    this.id = id
    this.#at = at
  }

  /** Takes one more of its rows; gives the ids of the calls in it. Rows that were written twice add nothing. */
  add(message: JsonObject, parent: string | null): string[] {
    this.parents.push(parent)
    this.#model = filledText(message['model']) ?? this.#model
    this.#stop = stopOf(message['stop_reason']) ?? this.#stop
    // It stands in each row; the last one has the final count of what was written.
    this.#usage = usageOfAnswer(objectOf(message['usage'])) ?? this.#usage
    return contentBlocks(message['content']).flatMap(block => this.#block(block))
  }

  #block(block: JsonObject): string[] {
    switch (block['type']) {
      case 'text':
        this.#texts.add(stringOf(block['text']))
        return []
      case 'thinking':
        this.#thoughts.add(stringOf(block['thinking']))
        return []
      case 'redacted_thinking': // sealed
        return []
      case 'tool_use':
      case 'mcp_tool_use':
      case 'server_tool_use': {
        const id = idOf(block['id']) ?? `${this.id}-call-${this.#calls.size + 1}`
        if (!this.#calls.has(id))
          this.#calls.set(id, { id, name: stringOf(block['name']), arguments: argumentsOf(block['input']) })
        return [id]
      }
      default: {
        const file = fileOf(block, this.#files.length + 1)
        if (file) this.#files.push(file)
        else if ('tool_use_id' in block) this.answered(`${this.id}-result-${this.#results.size + 1}`, answerOf(block))
        else this.#unknown.push(block)
        return []
      }
    }
  }

  /** A result of one of its calls. `at`: ms since epoch. */
  answered(id: string, answer: ToolAnswer, at?: number): void {
    const known = this.#results.get(answer.callId) ?? new Map()
    this.#results.set(answer.callId, known)
    if (!known.has(answer.text)) known.set(answer.text, { id, at, answer })
  }

  /** Its rows: itself, behind it the results in the order of the calls. `parent`: what it follows. */
  rows(parent: string | null): TreeRow[] {
    const content: ItemContent = {
      kind: 'assistant',
      text: joinTexts([...this.#texts]),
      calls: [...this.#calls.values()],
      ...present({
        at: this.#at,
        reasoning: filledText(joinTexts([...this.#thoughts])),
        model: this.#model,
        stop: this.#stop,
        usage: this.#usage,
      }),
      ...attached(this.#files),
    }
    const order = [...this.#calls.keys(), ...[...this.#results.keys()].filter(id => !this.#calls.has(id))]
    const behind: { id: string; content: ItemContent }[] = order
      .flatMap(id => [...(this.#results.get(id)?.values() ?? [])])
      .map(({ id, at, answer }) => ({ id, content: { ...resultContent(answer), ...present({ at }) } }))
    for (const [i, block] of this.#unknown.entries())
      behind.push({ id: `${this.id}-block-${i + 1}`, content: foreign(block, 'unknown') })
    return [
      { id: this.id, parent, content },
      ...behind.map(row => ({ ...row, parent: this.id, behind: true as const })),
    ]
  }
}

/** A result as an item says it; the name of its tool is that of the call. */
export function resultContent({ callId, text, isError, files }: ToolAnswer): ItemContent {
  return { kind: 'result', callId, tool: '', text, isError, ...attached(files) }
}
