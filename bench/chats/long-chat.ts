/**
 * A long chat of facts of about 800 bytes: prose, paths, numbers, tool results. Always the same, each time as new
 * objects.
 */
import type { Entry, FactEntry, ArchivePlace } from '../../src/core/log/entry.ts'

const prose = (
  'the release was planned for the end of the month and everybody agreed that tests come first then we look at the numbers again and ' +
  'decide what can be left out because the old server still answers slowly when many people open the page at once'
).split(' ')
const bytes = 800

/** Turns of question, call, result and answer; `count` facts in all. */
export function longChat(count: number): FactEntry[] {
  return Array.from({ length: count }, (_, at) => factAt(at))
}

/** Fact `at` of the chat that goes on for ever. */
export function factAt(at: number): FactEntry {
  const turn = Math.floor(at / 4)
  const common = { id: `fact-${at}`, parent: at === 0 ? null : `fact-${at - 1}`, at: 1_772_359_200_000 + at * 1_000 }
  switch (at % 4) {
    case 0:
      return {
        ...common,
        type: 'user',
        text: filled(
          `Please look at part ${turn} of src/area-${turn % 90}/file-${turn}.ts and keep it under ${(turn % 50) + 3} ms.`,
          turn,
        ),
      }
    case 1:
      return {
        ...common,
        type: 'assistant',
        text: filled('I am going to read the file first.', turn + 3),
        calls: [
          {
            id: `call_${turn}`,
            name: 'run_command',
            arguments: JSON.stringify({ command: `show src/area-${turn % 90}/file-${turn}.ts` }),
          },
        ],
        model: 'bench',
        local: false,
        stop: 'calls',
      }
    case 2:
      return {
        ...common,
        type: 'result',
        callId: `call_${turn}`,
        tool: 'run_command',
        text: lines(turn),
        isError: false,
      }
    default:
      return {
        ...common,
        type: 'assistant',
        text: filled(
          `I changed \`readPart${turn}()\` in src/area-${turn % 90}/file-${turn}.ts; it takes ${(turn % 40) + 1} ms now.`,
          turn + 5,
        ),
        calls: [],
        model: 'bench',
        local: false,
        stop: 'stop',
      }
  }
}

/** The same log with its next facts, as the loop appends them. */
export function goneOn(log: readonly Entry[], facts = 2): Entry[] {
  return [...log, ...Array.from({ length: facts }, (_, at) => factAt(log.length + at))]
}

/** Where each fact lies: a thousand a day. */
export function placeOf(id: string): ArchivePlace {
  const at = Number(id.slice(5))
  return {
    day: new Date(Date.UTC(2026, 2, 1 + Math.floor(at / 1_000))).toISOString().slice(0, 10),
    line: (at % 1_000) + 1,
    session: 's',
    ownLine: (at % 1_000) + 1,
  }
}

function filled(start: string, seed: number): string {
  let text = start
  for (let at = 0; text.length < bytes; at++)
    text += ` ${prose[(seed * 7 + at) % prose.length]}${at % 14 === 13 ? '.' : ''}`
  return flat(text.slice(0, bytes))
}

function lines(turn: number): string {
  let text = ''
  for (let at = 0; text.length < bytes; at++)
    text += `src/area-${turn % 90}/file-${turn}.ts:${at * 7 + 1}: export const value${at} = read('${(turn * 7919 + at * 31).toString(16)}') // ${at} of ${turn}\n`
  return flat(text.slice(0, bytes))
}

/** As a store gives it: one run of letters in memory, no view of a longer one. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}
