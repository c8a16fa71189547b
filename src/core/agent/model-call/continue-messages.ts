/**
 * What follows an answer that was cut off, so that the model goes on. In one request only: the person did not write it,
 * and it is never stored.
 */
import type { Message } from '../../log/message.ts'
import type { ContinueMode } from '../api/api.ts'

/** Room for the words around the reasoning that is sent back, tokens. */
export const roomAroundReasoning = 600

/** `end`: the last words of the answer, where it stopped inside its text; '' otherwise. */
export function continueMessage(end: string): Message {
  const place =
    end === ''
      ? 'Repeat nothing of it.'
      : `So that the place is sure, begin with its last words, letter by letter, and repeat nothing before them. They are:\n\n${end}`
  return {
    role: 'user',
    content: `Your answer above was cut off. Go on exactly where it stopped, in the same language and form, without a word about the interruption. ${place}`,
  }
}

/**
 * How much of the end of paid-for reasoning is sent back: at most this many characters, and at most one character per
 * free token.
 */
const reasoningShown = 6_000

/**
 * The same for an answer of reasoning alone, which no provider accepts back in its original form: how the reasoning
 * ended, and what is wanted now.
 */
export function continueAfterReasoning(
  thoughts: string,
  { how, room }: { how: ContinueMode | undefined; room: number /* tokens */ },
): Message {
  const shown = Math.max(0, Math.min(reasoningShown, room - roomAroundReasoning))
  const end = [...thoughts.trim()].slice(-shown).join('')
  const content = [
    ...(shown > 0 && end !== ''
      ? [
          `You have thought about this already, and your answer was cut off before it began. Your thoughts ended with:\n\n${end}\n`,
        ]
      : []),
    how === 'answer now'
      ? 'Think no further. Answer now, as well as you can with what you know.'
      : end === '' || shown === 0
        ? 'Think briefly, then answer.'
        : 'Go on from there, and answer.',
  ].join('\n')
  return { role: 'user', content }
}
