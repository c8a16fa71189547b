/** A long chat with 500 planted facts, each with a question that has no word of its answer. Always the same. */
import type { Id } from '../../src/core/log/entry.ts'
import type { FiledFact } from '../replay/replay-file.ts'

export type Spot = 'user text' | 'answer text' | 'path' | 'middle of a result' | 'end of a result'
/** `entry` is the fact in whose text it was said. */
export type Planted = { answer: string; question: string; spot: Spot; entry: Id }

const adjectives = [
  'amber',
  'brazen',
  'cobalt',
  'dusky',
  'eastern',
  'frosty',
  'gilded',
  'hollow',
  'ivory',
  'jade',
  'keen',
  'lunar',
  'mossy',
  'northern',
  'ochre',
  'pallid',
  'quiet',
  'russet',
  'silver',
  'tidal',
]
const nouns = [
  'anchor',
  'beacon',
  'cellar',
  'dynamo',
  'engine',
  'furnace',
  'granary',
  'harbour',
  'incline',
  'junction',
  'kiln',
  'lantern',
  'mill',
  'nursery',
  'orchard',
  'pump',
  'quarry',
  'reservoir',
  'sluice',
  'turbine',
  'viaduct',
  'workshop',
  'yard',
  'depot',
  'crane',
]
const filler =
  'the water runs slowly past the old wall while people talk about weather and bread and nobody writes it down because it has been said before'.split(
    ' ',
  )

/** 100 turns of four messages: question, call, result, answer; five facts a turn, one for each spot. */
export function plantedChat(): { facts: FiledFact[]; planted: Planted[] } {
  const facts: FiledFact[] = []
  const planted: Planted[] = []
  for (let turn = 0; turn < 100; turn++) {
    const [user, call, result, answer] = [0, 1, 2, 3].map(part => `m${turn * 4 + part}`) as [Id, Id, Id, Id]
    const plant = (spot: Spot, entry: Id): string => {
      const index = planted.length
      const thing = `${adjectives[index % 20]} ${nouns[Math.floor(index / 20)]}`
      const { value, attribute } = valueOf(spot, index)
      planted.push({ answer: value, question: `What is the ${attribute} of the ${thing}?`, spot, entry })
      return `The ${attribute} of the ${thing} is ${value}.`
    }
    add(user, {
      type: 'user',
      text: `Please go on with part ${turn + 1}. ${plant('user text', user)} ${words(turn, 30)}`,
    })
    add(call, {
      type: 'assistant',
      text: `I look at it. ${words(turn + 7, 20)}`,
      calls: [
        { id: `call_${turn}`, name: 'run_command', arguments: JSON.stringify({ command: `show part ${turn + 1}` }) },
      ],
      model: 'bench',
      local: false,
      stop: 'calls',
    })
    const middle = plant('middle of a result', result)
    const end = plant('end of a result', result)
    add(result, {
      type: 'result',
      callId: `call_${turn}`,
      tool: 'run_command',
      text: `${lines(turn, 30)}\n${middle}\n${lines(turn + 3, 30)}\n${end}`,
      isError: false,
    })
    add(answer, {
      type: 'assistant',
      text: `${words(turn + 5, 40)} ${plant('answer text', answer)} ${plant('path', answer)} ${words(turn + 9, 40)}`,
      calls: [],
      model: 'bench',
      local: false,
      stop: 'stop',
    })
  }
  return { facts, planted }

  function add(id: Id, fact: FiledFact['fact']): void {
    const seq = facts.length
    facts.push({ seq, id, at: Date.UTC(2026, 2, 2 + Math.floor(seq / 100), 9, 0, seq % 100), fact })
  }
}

/** Values that are told apart as wholes: none is part of another. */
function valueOf(spot: Spot, index: number): { value: string; attribute: string } {
  const code = (index * 7919 + 104_729).toString(36)
  if (spot === 'path') return { value: `src/${code}/part-${code}.ts:${index + 11}`, attribute: 'source file' }
  if (spot === 'user text') return { value: `K${code.toUpperCase()}-${1000 + index}`, attribute: 'reference' }
  if (spot === 'answer text')
    return { value: `${(index * 37 + 10_007).toString()}.${index % 10} kWh`, attribute: 'yearly load' }
  if (spot === 'middle of a result') return { value: `https://${code}.example/${index}`, attribute: 'address' }
  return { value: `0x${(index * 65_537 + 0x10_0000).toString(16)}`, attribute: 'checksum' }
}

function words(seed: number, count: number): string {
  return `${Array.from({ length: count }, (_, index) => filler[(seed * 13 + index * 7 + Math.floor(index / 5)) % filler.length]).join(' ')}.`
}

function lines(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => words(seed + index, 12)).join('\n')
}
