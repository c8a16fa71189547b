/** The tables of bench/RESULTS.md that were measured in a browser, out of the kept results. */
import { read, span, table } from './results-table.ts'

type Tasks = { count: number; longest: number }
type Spread = { count: number; p50: number; p95: number; most: number }
type Scroll = { longTasks: Tasks }
export type Browser = {
  facts: number
  chars: number
  open: { runs: { newestMs: number }[] }
  scroll: { up: Scroll; down: Scroll; fast: Scroll; jumps: Scroll }
  streaming: { tokensPerSecond: number; keyToPaint: Spread; longTasks: Tasks; processor: Tasks }
  rush: { wordsPerSecond: number; framesPerSecond: number; under30: number }
  export: { ms: number; bytes: number }
  machine: string
  date: string
}
export type FirstToken = { facts: number; firstToken: { shortChat: Spread } }
export type MemoryBrowser = {
  facts: number
  firstSearchMs: number
  p50ms: number
  p95ms: number
  textBytes: number
  indexShare: number
  pageLongTasks: number
}
type NewChat = { tries: number; processorSlowedDown: number; lettersLost: number; keyToLetter: { all: Spread } }
type LlamaServer = { yes: number; no: number; date: string }

const whole = (number: number): string => number.toFixed(0)
export const longTasks = ({ scroll }: Browser): number =>
  [scroll.up, scroll.down, scroll.fast, scroll.jumps].reduce((sum, { longTasks: { count } }) => sum + count, 0)

/** One table for a long chat in Chromium, then a line for each of the other measurements in a browser. */
export function browserTables(): string {
  const [browser, first, fresh, memory, llama] = [
    read<Browser>('browser'),
    read<FirstToken>('browser-first-token'),
    read<NewChat>('new-chat'),
    read<MemoryBrowser>('memory-browser'),
    read<LlamaServer>('llama-server'),
  ]
  return [longChat(browser, first), newChat(fresh), search(memory), server(llama)]
    .filter(part => part !== '')
    .join('\n\n')
}

function longChat(result: Browser | undefined, first: FirstToken | undefined): string {
  if (result === undefined) return ''
  const { facts, chars, open, streaming, rush } = result
  const firstToken = first?.firstToken.shortChat
  return [
    `A chat of ${facts} entries of ${chars} characters in Chromium (${result.machine}, ${result.date.slice(0, 10)}, \`npm run build && HAVERSACK_BIG=0 npm run bench -- browser\`):`,
    table(
      ['', 'measured'],
      [
        [
          `newest messages painted after a reload, ${open.runs.length} times`,
          `${span(open.runs.map(({ newestMs }) => Math.round(newestMs)))} ms`,
        ],
        ['long tasks above 50 ms while scrolling, 240 px and 2 400 px a step, and while jumping', longTasks(result)],
        ...(firstToken === undefined
          ? []
          : [
              [
                `first token of an answer, from the server's write to the drawn frame, p50 / p95 / most of ${firstToken.count} (\`HAVERSACK_FACTS=${first!.facts}\`)`,
                `${firstToken.p50} / ${firstToken.p95} / ${firstToken.most} ms`,
              ],
            ]),
        [
          `key to paint while ${whole(streaming.tokensPerSecond)} tokens/s stream in, p50 / p95 / most`,
          `${streaming.keyToPaint.p50} / ${streaming.keyToPaint.p95} / ${streaming.keyToPaint.most} ms`,
        ],
        [
          'longest task meanwhile, processor time',
          `${streaming.processor.longest} ms (${streaming.longTasks.count} took longer than 50 ms by the clock: server, worker and page share the two cores)`,
        ],
        [
          `headings, tables and code at ${whole(rush.wordsPerSecond)} words/s`,
          `${rush.framesPerSecond} frames/s, ${rush.under30} frames slower than 30/s`,
        ],
        [`export of it, ${(result.export.bytes / 1e6).toFixed(1)} MB`, `${(result.export.ms / 1000).toFixed(1)} s`],
      ],
    ),
  ].join('\n\n')
}

function newChat(result: NewChat | undefined): string {
  if (result === undefined) return ''
  const {
    tries,
    processorSlowedDown,
    lettersLost,
    keyToLetter: { all },
  } = result
  return `From that chat to a new one and typing at once, the processor ${processorSlowedDown} × slower: key to letter, p50 / p95 of ${all.count} in ${tries} tries, ${whole(all.p50)} / ${whole(all.p95)} ms (aim: 50 / 100); ${lettersLost} letters lost (\`npm run bench -- new-chat\`).`
}

function search(result: MemoryBrowser | undefined): string {
  if (result === undefined) return ''
  const { facts, textBytes, p50ms, p95ms, firstSearchMs, indexShare, pageLongTasks } = result
  return `${facts} facts, ${whole(textBytes / 1e6)} MB of text, in Chromium: search p50 / p95 ${whole(p50ms)} / ${whole(p95ms)} ms, the first one after opening ${whole(firstSearchMs)} ms, index ${whole(indexShare * 100)} % of the text, ${pageLongTasks} long tasks of the page (\`npm run bench -- memory-browser\`).`
}

function server(result: LlamaServer | undefined): string {
  return result === undefined
    ? ''
    : `Against a real llama-server, in the ways that people start it: ${result.yes} cells yes, ${result.no} no (${result.date.slice(0, 10)}, [how](llama-server/README.md), \`npm run bench -- llama-server\`).`
}
