/** Finds the calls that a model writes at the end of its text, while the text streams in (C12). Pure. */
import { anyMark, markBeginnings, writtenCalls, type WrittenCall } from './call-dialects.ts'
import { lowerSameLength, overlap } from './think-tags.ts'

export type CallFinder = {
  /** The text that can be shown; what may be a call is buffered. */
  push(text: string): string
  /** The calls, if the buffered text is nothing but calls of existing tools; else it is text. */
  end(): { text: string; calls: readonly WrittenCall[] }
  /** The buffered text, as plain text, if the answer has native calls. */
  release(): string
}

/** How often the buffered text is searched for a call. */
const mostTries = 20
/** Most text that is buffered, UTF-16 units: a longer one is not a call. */
const mostHeld = 400_000

/**
 * A call is one only at the end of an answer, at the beginning of a line or behind the end of a sentence, and outside
 * of code, fences and quotes: text that speaks of calls stays text. Time is linear in the text.
 */
export function callFinder(names: readonly string[]): CallFinder {
  const known = new Set(names)
  const longest = Math.max(...markBeginnings.map(mark => mark.length))
  let held = ''
  let holds = false
  /** What stands before, as far as it says whether something is quoted. */
  let line = ''
  let fence = ''
  /** Lines behind something quoted belong to it until one is empty. */
  let inQuote = false

  const passes = (text: string): string => {
    for (const piece of text.split(/(?<=\n)/)) {
      line += piece
      if (!piece.endsWith('\n')) continue
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark && fence === '') fence = mark
      else if (mark && mark[0] === fence[0] && mark.length >= fence.length && /^ {0,3}[`~]+\s*$/.test(line)) fence = ''
      inQuote = line.trim() !== '' && (inQuote || /^ {0,3}>/.test(line))
      line = ''
    }
    if (line.length > 2_000) line = line.slice(-1_000)
    return text
  }
  const quotes = (): boolean => {
    if (fence !== '' || inQuote || /^(?: {4}|\t| {0,3}>| {0,3}(`{3,}|~{3,}))/.test(line)) return true
    if ((line.match(/`/g)?.length ?? 0) % 2 === 1) return true
    return line.trim() !== '' && !/[.!?。！？…]["”’」』)）]?\s*$/.test(line)
  }

  const finder: CallFinder = {
    push(text) {
      held += text
      let out = ''
      while (!holds) {
        const found = anyMark.exec(held)
        if (!found) {
          const tail = lowerSameLength(held.slice(-longest))
          const keep = Math.max(...markBeginnings.map(mark => overlap(tail, mark)))
          out += passes(held.slice(0, held.length - keep))
          held = held.slice(held.length - keep)
          return out
        }
        out += passes(held.slice(0, found.index))
        held = held.slice(found.index)
        if (quotes()) {
          inQuote ||= fence === '' // a call that is quoted may be followed by others
          out += passes(held.slice(0, found[0].length))
          held = held.slice(found[0].length)
        } else holds = true
      }
      if (held.length <= mostHeld) return out
      out += passes(held)
      held = ''
      holds = false
      return out
    },
    end() {
      let text = ''
      // What was held may be prose at the beginning of a line, with the call behind it.
      for (let tries = 0; holds && tries < mostTries; tries++) {
        const calls = writtenCalls(held, known)
        if (calls) {
          held = ''
          holds = false
          return { text, calls }
        }
        const mark = anyMark.exec(held)![0].length
        text += passes(held.slice(0, mark))
        held = held.slice(mark)
        holds = false
        text += finder.push('')
      }
      text += held
      held = ''
      holds = false
      return { text, calls: [] }
    },
    release() {
      const text = held
      held = ''
      holds = false
      return text
    },
  }
  return finder
}
