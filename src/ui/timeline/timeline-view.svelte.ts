/** UI state of the timeline: what the worker says of the chat, the part that is shown, and where the border stands. */
import {
  isPinnedMark,
  isSentMark,
  sendingOfMark,
  type Timeline,
  type TimelineMessage,
} from '../../core/agent/api/timeline.ts'
import { SvelteMap } from 'svelte/reactivity'
import {
  blocksOf,
  placeOf,
  scaleOf,
  shifted,
  showing,
  zoomed,
  type TimelineBlock,
  type ShownPart,
  type Scale,
} from './timeline-layout.ts'

/** What it needs of the open chat. */
export type TimelineSource = {
  timeline(keep?: number): Promise<Timeline>
  timelineMessage(at: number): Promise<TimelineMessage>
  readonly border: { keep: number | undefined }
}

/** Where the border stands: a stop; -1: all stays. */
export type BorderPlace = { stop: number; kept: number; leaving: number; tokens: number }

const nothing: Timeline = {
  tokens: new Uint32Array(),
  marks: new Uint8Array(),
  stops: new Uint32Array(),
  keeps: new Uint32Array(),
  automatic: -1,
  border: -1,
  window: 0,
}

export class TimelineView {
  readonly #source: TimelineSource
  #asked = 0 // only the newest answer counts
  #keepAsked: number | undefined

  timeline = $state.raw<Timeline>(nothing)
  /** px */
  width = $state(0)
  #shown = $state.raw<{ from: number; to: number }>({ from: 0, to: 1 })
  /** What was told of single messages of this timeline, by place; undefined while it is being asked for. */
  readonly told = new SvelteMap<number, TimelineMessage | 'failed' | undefined>()

  readonly scale: Scale = $derived(scaleOf(this.timeline))
  readonly range: ShownPart = $derived({ ...this.#shown, width: this.width })
  readonly blocks: readonly TimelineBlock[] = $derived(blocksOf(this.timeline, this.scale, this.range))
  readonly messages: number = $derived(this.timeline.tokens.length)
  /** Messages that only the summary in view tells, from the first to the last; null for none. */
  readonly summarised: { first: number; last: number; count: number } | null = $derived.by(() => {
    const { marks, summary } = this.timeline
    if (summary === undefined) return null
    let [first, last, count] = [-1, -1, 0]
    for (let i = 0; i < marks.length; i++) {
      if (sendingOfMark(marks[i]!) !== 'summarised') continue
      if (first < 0) first = i
      last = i
      count++
    }
    return first < 0 ? null : { first, last, count }
  })

  constructor(source: TimelineSource) {
    this.#source = source
  }

  get isZoomed(): boolean {
    return this.#shown.to - this.#shown.from < 1
  }
  /** Some messages stand together, so that zooming shows more. */
  readonly isGrouped: boolean = $derived(this.blocks.some(({ first, last }) => last > first))

  /** The stop that holds. */
  readonly stop: number = $derived.by(() => {
    const { keep } = this.#source.border
    const { keeps, automatic, border } = this.timeline
    if (keep === undefined) return automatic
    const own = keeps.indexOf(keep)
    return own >= 0 ? own : keep === this.#keepAsked ? border : keeps.findIndex(keeps => keeps <= keep)
  })

  /** The bar of the summary, over what it tells; px of the shown part. Null for none there. */
  readonly summaryBar: { x: number; width: number } | null = $derived.by(() => {
    if (this.summarised === null) return null
    const from = Math.max(0, this.placeOf(this.summarised.first))
    const to = Math.min(this.width, this.placeOf(this.summarised.last + 1))
    return to > from ? { x: from, width: Math.max(8, to - from) } : null
  })
  /** Where the border stands, px of the shown part; at its edge where it is not in it. */
  readonly borderAt: number = $derived.by(() => Math.min(this.width, Math.max(0, this.borderPlace)))
  /** The same, also beyond the edges. */
  readonly borderPlace: number = $derived.by(() =>
    this.stop < 0 ? 0 : this.placeOf(this.timeline.stops[this.stop] ?? 0),
  )
  /** Where the smaller scale of older messages ends, px of the shown part. */
  readonly bend: number | undefined = $derived.by(() => {
    const { detail, ends } = this.scale
    const { from, to, width } = this.range
    const place = detail === 0 ? 0 : (ends[detail - 1] ?? 0)
    return place > from && place < to ? ((place - from) / (to - from)) * width : undefined
  })

  /** Where a message begins, px of the shown part; beyond its edges for one that is not in it. */
  placeOf(message: number): number {
    return placeOf(this.scale, this.blocks, this.range, message)
  }

  /** Asks for it again; an answer that comes late is not shown. */
  async fetch(): Promise<void> {
    const asked = ++this.#asked
    const { keep } = this.#source.border
    try {
      const timeline = await this.#source.timeline(keep)
      if (asked !== this.#asked) return
      this.#keepAsked = keep
      this.timeline = timeline
      this.told.clear()
    } catch {
      // The line keeps what it has; a failing worker is reported by the actions and by the bridge.
    }
  }

  /** Asks what a message says, once. */
  async ask(message: number): Promise<void> {
    if (this.told.has(message)) return
    const asked = this.#asked
    this.told.set(message, undefined)
    const found = await this.#source.timelineMessage(message).catch(() => 'failed' as const)
    if (asked === this.#asked) this.told.set(message, found)
  }

  /** What a stop keeps and what it leaves to the summary, in messages. */
  placeOfStop(stop: number): BorderPlace {
    const { marks, stops, keeps } = this.timeline
    const from = stop < 0 ? 0 : stops[stop]!
    let [kept, leaving] = [0, 0]
    for (let i = 0; i < marks.length; i++) {
      if (!isSentMark(marks[i]!)) continue
      if (i >= from) kept++
      else if (!isPinnedMark(marks[i]!)) leaving++
    }
    return { stop, kept, leaving, tokens: keeps[stop] ?? 0 }
  }

  /** Moves the border; -1 gives it back to the strategy. */
  setStop(stop: number): void {
    const { keeps, automatic } = this.timeline
    this.#source.border.keep = stop < 0 || stop === automatic ? undefined : keeps[stop]
  }

  zoom(by: number, around = (this.#shown.from + this.#shown.to) / 2): void {
    this.#shown = zoomed(this.range, around, by, this.messages)
  }
  /** `by`: share of what is shown. */
  pan(by: number): void {
    const way = (this.#shown.to - this.#shown.from) * by
    this.#shown = shifted({ from: this.#shown.from + way, to: this.#shown.to + way, width: this.width })
  }
  showAll(): void {
    this.#shown = { from: 0, to: 1 }
  }
  /** Brings a message into the shown part. */
  show(message: number): void {
    this.#shown = showing(this.scale, this.range, message)
  }
}
