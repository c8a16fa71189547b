/**
 * A made-up chat of a person with an assistant that gives long answers: half of what is asked later only the assistant
 * said, in one sentence among many.
 */
import { dice } from '../shared/dice.ts'

/** `voice`: who says it; `answers`: the queries that this message, or any of these, answers best. */
export type ChatMessage = { voice: 'person' | 'assistant'; text: string }
export type ChatQuery = {
  query: string
  kind: 'said by the assistant' | 'phrase' | 'name' | 'part of a name'
  message: number
}

const things =
  'kettle,router,bicycle,greenhouse,printer,thermostat,sailboat,camera,piano,aquarium,drill,oven,tent,telescope,loom,beehive,canoe,lathe,kiln,radio'.split(
    ',',
  )
const deeds = 'clean,repair,store,insure,calibrate,paint,move,test,label,rent out'.split(',')
const measures = [
  'torque',
  'interval',
  'mixture',
  'pressure',
  'spacing',
  'deposit',
  'angle',
  'threshold',
  'ratio',
  'timeout',
]
const steps = [
  (thing: string) => `Begin by putting the ${thing} on a dry and level surface, and keep the manual within reach.`,
  (thing: string) => `Write down what you see before you change anything about the ${thing}; a photo helps later.`,
  () => 'Work slowly, check each joint twice, and stop as soon as something does not move freely.',
  (thing: string) => `A friend who knows the ${thing} can save an afternoon; ask for a second pair of eyes.`,
  () => 'Most mistakes are made at the end, when one is tired and wants to see it done.',
  (thing: string) => `Keep the spare parts of the ${thing} in a labelled bag, so that nothing is lost.`,
  () => 'If in doubt, leave it for a day: hardly anything gets worse overnight.',
  (thing: string) => `Afterwards try the ${thing} for ten minutes and listen for anything unusual.`,
]

/** `asked` exchanges of a question with a long answer, and what is searched for later. The same in each run. */
export function assistantChat(asked = 200): { messages: ChatMessage[]; queries: ChatQuery[] } {
  const pick = dice(20_261_129)
  const of = <T>(list: readonly T[]): T => list[Math.floor(pick() * list.length)]!
  const messages: ChatMessage[] = []
  const queries: ChatQuery[] = []
  for (let n = 0; n < asked; n++) {
    const thing = things[n % things.length]!
    const deed = deeds[Math.floor(n / things.length) % deeds.length]!
    const measure = of(measures)
    const value = 10 + Math.floor(pick() * 900)
    const name = `${deed.split(' ')[0]}${thing.charAt(0).toUpperCase()}${thing.slice(1)}${value}`
    const place = `${of(['blue', 'old', 'narrow', 'upper'])} ${of(['shed', 'cellar', 'balcony', 'workshop'])} of my ${of(['aunt', 'neighbour', 'brother', 'teacher'])}`
    messages.push({
      voice: 'person',
      text: `I want to ${deed} the ${thing} that stands in the ${place}. How should I go about it, and what do I need?`,
    })
    const lines = Array.from({ length: 14 }, (_, at) => `${at + 1}. ${of(steps)(thing)} ${of(steps)(of(things))}`)
    lines[3 + Math.floor(pick() * 9)] += ` For this the ${measure} should be ${value}; the script is called ${name}.`
    messages.push({ voice: 'assistant', text: `Here is how to ${deed} the ${thing}:\n\n${lines.join('\n')}` })
    const answer = messages.length - 1
    if (n % 2 === 0)
      queries.push({
        query: `What ${measure} did you recommend for the ${thing}?`,
        kind: 'said by the assistant',
        message: answer,
      })
    if (n % 8 === 1)
      queries.push({ query: `${thing} that stands in the ${place}`, kind: 'phrase', message: answer - 1 })
    if (n % 8 === 3) queries.push({ query: name, kind: 'name', message: answer })
    if (n % 8 === 5)
      queries.push({ query: `${deed.split(' ')[0]} ${thing} ${value}`, kind: 'part of a name', message: answer })
  }
  return { messages, queries }
}
