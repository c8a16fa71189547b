/** Summarisers that behave well and badly, without chance. */
import { AgentError } from '../../src/core/errors.ts'
import type { AskSummariser } from '../../src/core/context/strategy.ts'

export type Mode =
  | 'echo'
  | '30 % lossy'
  | 'throws'
  | 'empty'
  | 'no headings'
  | 'cut off'
  | 'larger than its input'
  | 'reasoning only'
  | 'invented identifiers'
  | 'overflowing'

/** `prompt` as asked; `cap`: most tokens of a summary. */
type Summariser = (prompt: string, maxTokens: number, cap: number, call: number) => ReturnType<AskSummariser>

const answer = (text: string): ReturnType<AskSummariser> => Promise.resolve({ text, finish: 'stop' })

export const summarisers: Record<Mode, Summariser> = {
  // The ceiling: what it is shown, word for word, as much as a summary may have.
  echo: (prompt, _, cap) => answer(notes(sentences(prompt), cap)),
  '30 % lossy': (prompt, _, cap) =>
    answer(
      notes(
        sentences(prompt).filter((__, index) => index % 10 >= 3),
        cap,
      ),
    ),
  throws: () => Promise.reject(new AgentError('model_server', '503 service unavailable')),
  empty: () => answer(''),
  'no headings': prompt => answer(sentences(prompt).slice(0, 20).join(' ')),
  'cut off': (prompt, _, cap) => Promise.resolve({ text: notes(sentences(prompt), cap), finish: 'length' }),
  'larger than its input': prompt => answer(`## Goal\n${prompt}\n\n## Critical Context\n${prompt}`),
  'reasoning only': prompt => answer(`<think>${prompt.slice(0, 4_000)}`),
  'invented identifiers': (prompt, _, cap, call) =>
    answer(
      `${notes(sentences(prompt), Math.floor(cap * 0.8))}\n- see src/never/said-${call}.ts and https://nowhere-${call}.example/x`,
    ),
  overflowing: () =>
    Promise.reject(new AgentError('model_overflow', 'prompt is too long: 213462 tokens > 200000 maximum')),
}

/** The sentences of the conversation and of the summary so far that say something, newest last. */
function sentences(prompt: string): string[] {
  const blocks = [
    /<summary-so-far>\n([\s\S]*?)\n<\/summary-so-far>/,
    /<conversation>\n([\s\S]*?)\n<\/conversation>/,
  ].map(pattern => pattern.exec(prompt)?.[1] ?? '')
  const all = blocks
    .flatMap(block => block.split(/(?<=[.!?])\s+|\n/))
    .map(line => line.replace(/^[-\d.\s[\]x#]+/, '').trim())
  return [...new Set(all.filter(line => line.length > 12 && /\d|\/|must|never|decided|need to|fixed|必须/i.test(line)))]
}

function notes(lines: readonly string[], cap: number): string {
  const chosen: string[] = []
  let left = (cap - 60) * 3.6 // letters; a little under four a token
  for (const line of lines.toReversed()) {
    if (line.length + 3 > left) break
    left -= line.length + 3
    chosen.unshift(`- ${line}`)
  }
  return `## Goal\nGo on with the parts.\n\n## Next Steps\n1. The next part\n\n## Critical Context\n${chosen.join('\n')}`
}
