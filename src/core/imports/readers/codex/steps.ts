/**
 * The steps of a Codex session in their order: what the person says, what the model answers in one go with the results
 * of its calls, and what is neither. Pure.
 */
import type { ForeignAttachment } from '../../shape/foreign-chat.ts'
import type { StopReason, ToolCall, Usage } from '../../../log/message.ts'
import { joinTexts, filledText } from '../../shape/fields.ts'
import { attached, present } from '../finished-chat.ts'
import type { ItemContent, TreeRow } from '../item-tree.ts'
import type { Output } from './response-item.ts'

/** Where a row of the file stands: its name, and its time in ms since epoch. */
export type Place = { id: string; at: number | undefined }

type Row = Place & { content: ItemContent }
type Step = {
  /** What it follows; null: it begins the chat. */
  after: Step | null
  /** It is one row, or an answer of several. */
  is: Row | Answer
  last: string
}

type Answer = Place & {
  reasoning: string[]
  texts: string[]
  calls: ToolCall[]
  files: ForeignAttachment[]
  model: string | undefined
  stop?: StopReason
  usage?: Usage
  results: Row[]
  /** What stands between its parts. */
  between: Row[]
}

export class Steps {
  readonly #steps: Step[] = []
  #last: Step | null = null
  #answer: Answer | undefined
  readonly #askedBy = new Map<string, Answer>()
  /** The steps with which the turns of the branch in view begin. */
  readonly #turns: Step[] = []

  /** The model that answers from now on. */
  model: string | undefined

  /** A row that is no part of an answer. */
  add(place: Place, content: ItemContent): void {
    if (content.kind === 'foreign' && this.#answer) {
      this.#answer.between.push({ ...place, content })
      return
    }
    this.#answer = undefined
    const step = this.#push({ ...place, content })
    if (content.kind === 'user') this.#turns.push(step)
  }

  /** The answer that is being written; a new one after results. */
  answer(place: Place): Pick<Answer, 'reasoning' | 'texts' | 'files'> {
    return this.#open(place)
  }

  call(place: Place, call: ToolCall): void {
    const answer = this.#open(place)
    answer.calls.push(call)
    this.#askedBy.set(call.id, answer)
  }

  /** The result goes to the answer that asked for it, even if that has gone on since. */
  result(place: Place, callId: string, output: Output): void {
    const { text, files, isError } = output
    const content: ItemContent = { kind: 'result', callId, tool: '', text, isError, ...attached(files) }
    const answer = this.#askedBy.get(callId)
    if (answer) answer.results.push({ ...place, content })
    else this.add(place, { ...content, tool: 'tool' })
  }

  /** A turn has ended: what follows is another answer. */
  endTurn(): void {
    this.#answer = undefined
  }

  stopped(): void {
    if (this.#answer) this.#answer.stop = 'stopped'
    this.#answer = undefined
  }

  used(usage: Usage): void {
    if (this.#last && 'calls' in this.#last.is) this.#last.is.usage ??= usage
  }

  /** So many turns were taken back: what follows is a branch beside them. */
  takeBack(turns: number): void {
    this.#answer = undefined
    const first = this.#turns.at(-turns) ?? this.#turns[0]
    if (turns < 1 || first === undefined) return
    this.#turns.splice(this.#turns.indexOf(first))
    this.#last = first.after
  }

  rows(): TreeRow[] {
    const rows: TreeRow[] = []
    for (const step of this.#steps) {
      let parent = step.after === null ? null : step.after.last
      const put = ({ id, at, content }: Row): void => {
        rows.push({ id, parent, content: { ...content, ...present({ at }) } })
        parent = id
      }
      if ('content' in step.is) put(step.is)
      else for (const row of rowsOf(step.is)) put(row)
      step.last = parent ?? step.last
    }
    return rows
  }

  /** The row in view. Only after `rows`. */
  get leaf(): string | undefined {
    return this.#last?.last
  }

  #open(place: Place): Answer {
    if (this.#answer && this.#answer.results.length === 0) return this.#answer
    const answer: Answer = {
      ...place,
      reasoning: [],
      texts: [],
      calls: [],
      files: [],
      model: this.model,
      results: [],
      between: [],
    }
    this.#answer = answer
    this.#push(answer)
    return answer
  }

  #push(is: Row | Answer): Step {
    const step = { after: this.#last, is, last: is.id }
    this.#steps.push(step)
    this.#last = step
    return step
  }
}

function rowsOf(answer: Answer): Row[] {
  const { id, at, calls, files, model, stop, usage } = answer
  const content: ItemContent = {
    kind: 'assistant',
    text: joinTexts(answer.texts),
    calls,
    ...present({ reasoning: filledText(joinTexts(answer.reasoning)), model, stop, usage }),
    ...attached(files),
  }
  return [{ id, at, content }, ...answer.results, ...answer.between]
}
