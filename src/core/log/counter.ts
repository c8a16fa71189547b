/** Tokens of a message as sent (C1.4): the counters of the strategies. */
import { bpeOf, bytesTokens, scriptTokens } from '../text/tokens.ts'
import type { Message } from './message.ts'

/** One way of counting. Never throws; an estimate. */
export type Counter = {
  readonly name: string
  /** Tokens of a plain text. */
  text(text: string): number
  /** Tokens of a message as sent (C1.4), with what its role costs. */
  message(message: Message): number
}

/** An image, whatever its size (C1.4). */
const IMAGE = 1_200 // tokens
/** What CowAgent adds for a call and for a result (C1.4). */
const COW_CALL = 50 // tokens
const COW_RESULT = 30 // tokens
/** What the frame of a message costs where tokens are counted exactly (C1.4). */
const BPE_MESSAGE = 4 // tokens

/** CowAgent's counter (C1.2, C1.4): by script, calls and results in its own way. Always the same object. */
export function byScript(): Counter {
  return script
}

/** UTF-8 bytes over a divisor (C1.1). One object per divisor, so that counts of messages are kept. */
export function bytesOver(divisor: number): Counter {
  const known = overBytes.get(divisor)
  if (known) return known
  const made = keepingCounts(`bytes/${divisor}`, text => bytesTokens(text, divisor), ordinary)
  overBytes.set(divisor, made)
  return made
}

/** Exact counting with a tokenizer's function, in safe slices (C1.3); one object per function. */
export function bpe(countTokens: (text: string) => number): Counter {
  const known = exact.get(countTokens)
  if (known) return known
  const made = keepingCounts('bpe', bpeOf(countTokens), (message, count) => BPE_MESSAGE + ordinary(message, count))
  exact.set(countTokens, made)
  return made
}

/**
 * A counter whose numbers are multiplied by what the provider's reports taught (C1.6); factor 1 is the counter itself.
 */
export function calibrated(counter: Counter, factor: number): Counter {
  if (factor === 1) return counter
  return {
    name: counter.name,
    text: text => Math.round(counter.text(text) * factor),
    message: message => Math.round(counter.message(message) * factor),
  }
}

const script = keepingCounts('script', scriptTokens, cowAgents)
const overBytes = new Map<number, Counter>()
const exact = new WeakMap<(text: string) => number, Counter>()

/** The view gives the same object for the same message, so nothing is counted twice. */
function keepingCounts(
  name: string,
  text: (text: string) => number,
  of: (message: Message, count: (text: string) => number) => number,
): Counter {
  const kept = new WeakMap<Message, number>()
  return {
    name,
    text,
    message(message) {
      const known = kept.get(message)
      if (known !== undefined) return known
      const tokens = of(message, text)
      kept.set(message, tokens)
      return tokens
    },
  }
}

function ordinary(message: Message, count: (text: string) => number): number {
  let tokens = count(message.content)
  if (message.role === 'user') tokens += IMAGE * (message.images?.length ?? 0)
  if (message.role === 'assistant') {
    tokens += reasoningTokens(message, count)
    for (const call of message.toolCalls ?? []) tokens += count(call.name + call.arguments)
  }
  return tokens
}

/** What goes back of the reasoning (C1.4): its text, and of the details what a model reads of them. */
function reasoningTokens(
  { reasoning, details }: Message & { role: 'assistant' },
  count: (text: string) => number,
): number {
  const text = reasoning ? count(reasoning) : 0
  return details === undefined ? text : text + detailTokens(details.value, count)
}

/**
 * Texts that only seal or sign are base64 of what the provider reads: three bytes in four characters, four bytes a
 * token.
 */
const sealed = new Set(['data', 'signature', 'thought_signature', 'encrypted_content'])
const SEALED_CHARS = 16 / 3 // characters a token
const readable = new Set(['text', 'summary', 'thinking'])

function detailTokens(value: unknown, count: (text: string) => number): number {
  if (typeof value !== 'object' || value === null) return 0
  let tokens = 0
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') tokens += detailTokens(inner, count)
    else if (readable.has(name)) tokens += count(inner)
    else if (sealed.has(name)) tokens += Math.round(inner.length / SEALED_CHARS)
  }
  return tokens
}

function cowAgents(message: Message, count: (text: string) => number): number {
  let tokens = count(message.content)
  if (message.role === 'user') tokens += IMAGE * (message.images?.length ?? 0)
  if (message.role === 'tool') tokens += COW_RESULT
  if (message.role === 'assistant') {
    tokens += reasoningTokens(message, count)
    for (const call of message.toolCalls ?? []) tokens += COW_CALL + count(call.arguments)
  }
  return tokens
}
