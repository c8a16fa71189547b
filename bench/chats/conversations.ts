/**
 * Long conversations with questions about them, and where each answer stands: reading such a file for `bench memory`
 * (C14).
 */
import { existsSync, readFileSync } from 'node:fs'

export type Turn = { anchor: string; speaker: string; text: string; caption?: string; at: number /* ms */ }
export type Question = { text: string; category: string; anchors: readonly string[] }
export type Conversation = { name: string; turns: Turn[]; questions: Question[] }

/** Throws, saying what to do, where the file is missing or has another shape. */
export function readConversations(file: string): Conversation[] {
  if (!existsSync(file)) throw new Error(`there is no file ${file}; give one: npm run --silent bench -- memory FILE`)
  const samples: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(samples) || samples.length === 0) throw new Error(`${file} is no list of conversations`)
  return samples.map(conversationOf)
}

type Sample = {
  sample_id?: string
  conversation: Record<string, unknown>
  qa: { question: string; evidence?: unknown[]; category?: string | number }[]
}
type RawTurn = { speaker: string; dia_id: string; text?: string; blip_caption?: string }

function conversationOf(sample: Sample, index: number): Conversation {
  const turns = Object.keys(sample.conversation)
    .flatMap(key => {
      const number = /^session_(\d+)$/.exec(key)?.[1]
      return number === undefined ? [] : [Number(number)]
    })
    .sort((a, b) => a - b)
    .flatMap(number => {
      const at = timeOf(sample.conversation[`session_${number}_date_time`])
      return (sample.conversation[`session_${number}`] as RawTurn[]).map(
        ({ speaker, dia_id, text = '', blip_caption }): Turn => ({
          anchor: anchorsIn(dia_id)[0] ?? dia_id,
          speaker,
          text,
          at,
          ...(blip_caption ? { caption: blip_caption } : {}),
        }),
      )
    })
  const known = new Set(turns.map(turn => turn.anchor))
  // Some evidence is malformed or names turns that do not exist: a question without any that is valid cannot be scored.
  const questions = sample.qa.flatMap(({ question, evidence = [], category = '' }): Question[] => {
    const anchors = [...new Set(evidence.flatMap(one => anchorsIn(String(one))))].filter(anchor => known.has(anchor))
    return anchors.length > 0 ? [{ text: String(question), category: String(category), anchors }] : []
  })
  return { name: sample.sample_id ?? String(index + 1), turns, questions }
}

/** Every "D8:6" of a text, "D30:05" too. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/D(\d+):(\d+)/g)].map(match => `D${Number(match[1])}:${Number(match[2])}`)
}

/** "1:56 pm on 8 May, 2023" as ms, local time. */
function timeOf(text: unknown): number {
  const parts = /^(.*?) on (.*)$/.exec(String(text))
  const at = Date.parse(parts ? `${parts[2]?.replace(',', '')} ${parts[1]}` : String(text))
  if (Number.isNaN(at)) throw new Error(`"${String(text)}" is no time of a session`)
  return at
}

/** What a turn is to every searcher: who says it, what, and what a picture shows. */
export const textOf = ({ speaker, text, caption }: Turn): string =>
  `${speaker}: ${text}${caption === undefined ? '' : ` (${caption})`}`
