/** Regular expressions from a model or a person, kept to those that end in time. Pure. */
import { AgentError } from '../errors.ts'

/** Longest pattern, UTF-16 units. */
const longestPattern = 200

/**
 * The pattern, whatever the case of letters, and how far into a line it may look (`reach`, UTF-16 units): each open repeat adds a
 * power of the length to the worst time. Throws `bad_input` for one that is broken, too long, or may take for ever: a repeated
 * group that repeats or branches inside, back references, more than three open repeats, of which three optional parts make one.
 */
export function safePattern(source: string): { pattern: RegExp; reach: number } {
  if (source === '') throw new AgentError('bad_input', 'The pattern is empty.')
  if (source.length > longestPattern) throw new AgentError('bad_input', `The pattern has ${source.length} characters; at most ${longestPattern} are taken.`)
  const { why, repeats, optionals } = danger(source)
  if (why !== undefined) throw new AgentError('bad_input', `This pattern could take for ever (${why}). Write it without that, or search for plain words with memory_search.`)
  const reach = reaches[repeats + Math.floor(optionals / 3)] ?? 0
  try {
    return { pattern: new RegExp(source, 'iu'), reach }
  } catch {
    try {
      return { pattern: new RegExp(source, 'i'), reach } // what is written loosely, such as "\-"
    } catch (cause) {
      throw new AgentError('bad_input', `The pattern is no regular expression: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
}

/** By open repeats: at most about a hundred million steps for a line. */
const reaches = [4_000, 4_000, 600, 150]

type Group = { repeats: boolean; branches: boolean }

/** What makes a pattern dangerous, if anything does, and its open repeats. Reads it once, sets and escapes aside. */
function danger(source: string): { why?: string; repeats: number; optionals: number } {
  const open: Group[] = [{ repeats: false, branches: false }]
  let closed: Group | undefined // the group that ends right before
  let repeats = 0
  let optionals = 0 // each doubles the ways, so three of them count like a repeat
  for (let at = 0; at < source.length; at++) {
    const letter = source.charAt(at)
    const before = closed
    closed = undefined
    const inner = open.at(-1)!
    if (letter === '\\') {
      if (/[1-9k]/.test(source.charAt(at + 1))) return { why: 'a back reference', repeats, optionals }
      at++
    } else if (letter === '[') {
      at = endOfSet(source, at)
    } else if (letter === '(') {
      open.push({ repeats: false, branches: false })
      if (source.charAt(at + 1) === '?') at++
    } else if (letter === ')') {
      closed = open.length > 1 ? open.pop() : undefined
      const outer = open.at(-1)!
      if (closed?.repeats) outer.repeats = true
    } else if (letter === '|') {
      inner.branches = true
    } else if (/[*+?]/.test(letter) || (letter === '{' && /^\{\d+(?:,\d*)?\}/.test(source.slice(at)))) {
      const times = letter === '{' ? /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(at))! : undefined
      if (times && Math.max(Number(times[1]), Number(times[3])) > 100) return { why: 'a count above 100', repeats, optionals }
      const isOpenEnded = letter === '*' || letter === '+' || times?.[2] === ',' || Number(times?.[1]) > 1
      if (before && isOpenEnded && (before.repeats || before.branches)) return { why: 'a repeated group that repeats or branches inside', repeats, optionals }
      inner.repeats = true // also "a?": (aa?)+ can read a run in more ways than there are seconds
      if (isOpenEnded) repeats++
      else if (letter === '?') optionals++
      if (repeats + Math.floor(optionals / 3) > 3) return { why: 'more than three open repeats', repeats, optionals }
      if (times) at += times[0].length - 1
      if (source.charAt(at + 1) === '?') at++ // lazy
    }
  }
  return { repeats, optionals }
}

function endOfSet(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source.charAt(at) === '\\') at++
    else if (source.charAt(at) === ']') return at
  }
  return source.length
}
