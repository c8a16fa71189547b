/** Reading what another app wrote, of which nothing is sure. Pure; nothing here throws, whatever the value is. */
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import type { ForeignAttachment, ForeignItem } from './foreign-chat.ts'

/** The object that a value is; an empty one for anything else. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : nothing)
const nothing: JsonObject = {}

/** The list that a value is; an empty one for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The text that a value is; an empty one for anything else. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The trimmed text; undefined where nothing is left of it, or it is none. */
export const filledText = (value: unknown): string | undefined => stringOf(value).trim() || undefined

/** A name that a thing has: a filled text, or a number as one. Not trimmed, so that it stays equal to itself. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return filledText(value) === undefined ? undefined : stringOf(value)
}

/** The finite number that is not negative; undefined for anything else. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/**
 * A time in ms since epoch, from seconds, ms or an ISO text, or from digits as text. Undefined where it lies before
 * 2000 or after 2100: no such chat exists. A text without a zone is read as UTC, so that it is the same everywhere.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim()
    if (/^\d{9,13}(?:\.\d+)?$/.test(text)) return timeOf(Number(text))
    if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined
    const iso = text.replace(/^(\S{10}) (?=\d)/, '$1T')
    return sensible(Date.parse(/T.*\d$/.test(iso) && !/[+-]\d{2}:?\d{2}$/.test(iso.slice(10)) ? `${iso}Z` : iso))
  }
  if (typeof value !== 'number') return undefined
  return sensible(value < secondsEnd ? value * 1000 : value)
}
/** Seconds reach this in 2100; ms passed it in 1970. */
const secondsEnd = 4_102_444_800
const sensible = (ms: number): number | undefined =>
  ms >= 946_684_800_000 && ms <= secondsEnd * 1000 ? Math.round(ms) : undefined

/** The texts that are not blank, joined by a blank line. Each stays as it is, except for line breaks at the joints. */
export function joinTexts(parts: readonly string[], gap = '\n\n'): string {
  const filled = parts.filter(part => part.trim() !== '')
  if (filled.length < 2) return filled[0] ?? ''
  return filled
    .map((part, i) => {
      const from = i === 0 ? part : part.replace(/^(?:\r?\n)+/, '')
      return i === filled.length - 1 ? from : withoutLastBreaks(from)
    })
    .join(gap)
}

/** By hand: a pattern that is bound to the end takes quadratic time on a text of many line breaks. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return text.slice(0, end)
}

/** JSON of a value. Where it is nested so deep that this cannot be written, what is on top of it. */
export function rawJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    // The one way in which a value that came out of JSON cannot go back is its depth.
    const top = Array.isArray(value)
      ? value.filter(isFlat)
      : Object.entries(objectOf(value)).filter(([, it]) => isFlat(it))
    return JSON.stringify(Array.isArray(value) ? top : Object.fromEntries(top as [string, unknown][]))
  }
}
const isFlat = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Arguments of a call as JSON text: a text stays as it came, an object is written, nothing becomes an empty object. */
export function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' ? '{}' : value
  return value === undefined || value === null ? '{}' : rawJson(value)
}

/**
 * A file by its address: the content of a data: address, else a reference. `mime` is taken where the address says none.
 */
export function attachmentAt(address: string, name: string, mime?: string): ForeignAttachment {
  const comma = /^data:/i.test(address) ? address.indexOf(',') : -1
  const type = mime === undefined ? {} : { mime }
  if (comma === -1) return { name, ...type, ref: address }
  const [said = '', ...settings] = address.slice(5, comma).split(';')
  const data = address.slice(comma + 1)
  const known = said.trim() === '' ? type : { mime: said.trim().toLowerCase() }
  if (settings.some(one => one.trim().toLowerCase() === 'base64')) return { name, ...known, base64: data }
  return { name, ...known, text: decoded(data) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a percent sign that escapes nothing
  }
}

/**
 * An id for what has none: 16 hex digits made of its content, so that the same content has it again. Two 32-bit hashes
 * (FNV-1a with different beginnings): no proof against somebody who wants two to be equal, who gains nothing by it.
 */
export function madeId(value: unknown): string {
  const text = rawJson(value)
  let [one, other] = [0x811c9dc5, 0x2f0b4a87]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code ^ (i & 0xff), 0x01000193)
  }
  return [one, other].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Ids that are taken, each with the number of the next one that is made of it. */
export type TakenIds = Map<string, number>

/** An id that is not taken yet: the one that is wished, else the same with a number behind it. Takes it. */
export function freeId(wished: string, taken: TakenIds): string {
  let n = taken.get(wished) ?? 1
  let id = n === 1 ? wished : `${wished}#${n}`
  while (taken.has(id) && n > 1) id = `${wished}#${++n}`
  taken.set(wished, n + 1)
  if (id !== wished) taken.set(id, 2)
  return id
}

/** What hangs on something before it. */
type Hanging = { readonly id: string; readonly parent: string | null }

/**
 * The same things as a forest, parents before children and else in their order: a parent that is not there makes a
 * root, and a loop is cut before the one of its things that stands first. Ids must be unique. Takes linear time.
 */
export function asForest<T extends Hanging>(things: readonly T[]): T[] {
  const placeOf = new Map(things.map(({ id }, i) => [id, i]))
  const parents = things.map(({ parent }) => (parent === null ? undefined : placeOf.get(parent)))
  const state: ('on the way' | 'placed' | undefined)[] = []
  const placed: T[] = []
  for (let i = 0; i < things.length; i++) {
    const way: number[] = []
    let at: number | undefined = i
    while (at !== undefined && state[at] === undefined) {
      state[at] = 'on the way'
      way.push(at)
      at = parents[at]
    }
    if (at !== undefined && state[at] === 'on the way') {
      const loop = way.splice(way.indexOf(at))
      // Its first thing becomes a root, and the others follow it in the direction in which they hang.
      const first = loop.indexOf(loop.reduce((one, other) => Math.min(one, other)))
      parents[loop[first]!] = undefined
      for (const one of [...loop.slice(first + 1), ...loop.slice(0, first + 1)]) way.push(one)
    }
    for (const one of way.toReversed()) {
      const thing = things[one]!
      const parent = parents[one]
      state[one] = 'placed'
      placed.push(parent === undefined && thing.parent !== null ? { ...thing, parent: null } : thing)
    }
  }
  return placed
}

/** The items as a chat has them: see `asForest`; what a summary says of an item that is not there is taken off. */
export function inOrder(items: readonly ForeignItem[]): ForeignItem[] {
  const ids = new Set(items.map(({ id }) => id))
  return asForest(
    items.map(item => {
      if (item.kind !== 'summary' || item.firstKept === undefined || ids.has(item.firstKept)) return item
      const { firstKept: _gone, ...rest } = item
      return rest
    }),
  )
}
