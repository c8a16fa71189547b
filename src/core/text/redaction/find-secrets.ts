/** Secrets of one text, however it is written: over line breaks, with escapes, in base64. Pure. */
import { addressPasswords, givenValues, namedValues, wordsOfProviders } from './named-values.ts'
import { bankAccounts, cards, phoneNumbers } from './number-secrets.ts'
import { mailAddresses, ownHosts, userNames } from './personal-names.ts'
import { privateKeys, providerKeys } from './provider-keys.ts'
import { looksRandom, secretKinds, type Finder, type SecretMatch } from './secret-kinds.ts'
import { base64Texts, placeIn, withoutBreaks, withoutEscapes, type TextView } from './text-views.ts'

const finders: readonly Finder[] = [
  privateKeys,
  providerKeys,
  namedValues,
  givenValues,
  addressPasswords,
  wordsOfProviders,
  cards,
  bankAccounts,
  mailAddresses,
  phoneNumbers,
  ownHosts,
  userNames,
]

/** Escapes in escapes: JSON in JSON in an address. Base64 in base64. */
const deepest = 3

/** A text and what it says without its escapes, each also without line breaks where it has any. */
export function viewsOf(text: string): { view: TextView; joined?: TextView }[] {
  const views: { view: TextView; joined?: TextView }[] = []
  let view: TextView | undefined = { text }
  for (let depth = 0; view !== undefined && depth <= deepest; depth++) {
    const joined = withoutBreaks(view)
    views.push({ view, ...(joined ? { joined } : {}) })
    view = withoutEscapes(view)
  }
  return views
}

/** All that is found, none within another; offsets are of this text. Never throws. Linear in the length. */
export function secretsIn(text: string, depth = 0): SecretMatch[] {
  const all: SecretMatch[] = []
  for (const { view, joined } of viewsOf(text)) {
    const plain = finders.flatMap(find => find(view.text))
    for (const match of plain) all.push({ ...match, ...placeIn(view, match.from, match.to) })
    if (joined !== undefined) {
      const known = { from: new Map<number, number>(), to: new Set<number>(), fixed: new Set<number>() }
      for (const match of plain) {
        const place = placeIn(view, match.from, match.to)
        known.from.set(place.from, Math.max(place.to, known.from.get(place.from) ?? 0))
        known.to.add(place.to)
        if (match.fixed) known.fixed.add(place.from)
      }
      for (const match of finders.flatMap(find => find(joined.text))) {
        const taken = overBreak(match, joined, known)
        if (taken !== undefined) all.push({ ...taken, ...placeIn(joined, taken.from, taken.to) })
      }
    }
    if (depth < deepest)
      for (const one of [view, ...(joined ? [joined] : [])])
        for (const packed of base64Texts(one))
          for (const match of secretsIn(packed.text, depth + 1))
            all.push({ ...match, ...placeIn(one, packed.from, packed.to) })
  }
  return withoutOverlaps(all)
}

type Known = { from: ReadonlyMap<number, number>; to: ReadonlySet<number>; fixed: ReadonlySet<number> }

/**
 * What of a match without line breaks is there; undefined for nothing: words that end a line and begin the next make
 * others together. `known`: places of what was found with them.
 */
function overBreak(match: SecretMatch, joined: TextView, known: Known): SecretMatch | undefined {
  const { kind, from, to, fixed } = match
  const place = placeIn(joined, from, to)
  const isKnown = known.from.has(place.from)
  const inside = breaksIn(joined.breaks ?? [], from, to)
  if (inside.length === 0)
    return !isKnown && (kind === 'password' || kind === 'key' || kind === 'user') ? match : undefined
  if (fixed && known.fixed.has(place.from)) return undefined // it is whole without
  switch (kind) {
    case 'key':
    case 'password':
      return upToRest(match, joined.text, inside)
    case 'card':
    case 'account':
      return inside.length <= 2 ? match : undefined // its check digits say so
    case 'host':
      return inside.length <= 2 && !isKnown && !known.to.has(place.to) ? match : undefined
    case 'phone':
      return inside.length === 1 && !isKnown && !known.to.has(place.to) && match.value.startsWith('+')
        ? match
        : undefined
    case 'mail': {
      const goesOn = !known.to.has(place.to) || /[\d._+-]/.test(joined.text.slice(from, inside[0]))
      return inside.length === 1 && !isKnown && goesOn ? match : undefined
    }
    case 'private key':
    case 'user':
      return undefined
    default:
      return kind satisfies never
  }
}

/** A key up to the last line that reads as its rest; undefined where none does. */
function upToRest(match: SecretMatch, text: string, breaks: readonly number[]): SecretMatch | undefined {
  const { from, fixed } = match
  if (/["'`]/.test(text[from - 1] ?? '') && text[match.to] === text[from - 1] && breaks.length <= mostBreaks)
    return match
  let end = match.to
  for (const at of breaks.toReversed()) {
    const isNeeded = fixed === true && !providerKeys(text.slice(from, at)).some(one => one.from === 0 && one.fixed)
    if (isNeeded || isRest(text.slice(at, end), end === match.to ? text.slice(end, end + 2) : ''))
      return { ...match, to: end, value: match.value.slice(0, end - from) }
    end = at
  }
  return undefined
}

/** Lines that a value between quotes may go over. */
const mostBreaks = 8

/** Whether what begins a line is the rest of a key: signs by chance up to the end of the word, no name of a value. */
function isRest(piece: string, behind: string): boolean {
  return (
    (piece.length >= 4 ? looksRandom(piece) : piece.length > 0 && !/^[a-z]+$/i.test(piece)) &&
    !/^[A-Za-z_][\w.-]{0,40}(?:=[^=]|:)/.test(piece) &&
    !/^\s*[=(]/.test(behind)
  )
}

/** The breaks within a part, by bisection: there may be as many as lines. */
function breaksIn(breaks: readonly number[], from: number, to: number): readonly number[] {
  let [low, high] = [0, breaks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (breaks[middle]! <= from) low = middle + 1
    else high = middle
  }
  const found: number[] = []
  for (let at = low; at < breaks.length && breaks[at]! < to; at++) found.push(breaks[at]!)
  return found
}

/**
 * The gravest of those that overlap, and of equal kinds the longest; in the order of the text. Keys and passwords that
 * overlap take the place of both: where one ends is often a guess.
 */
function withoutOverlaps(all: readonly SecretMatch[]): SecretMatch[] {
  const rank = ({ kind }: SecretMatch): number => secretKinds.indexOf(kind)
  const sorted = all.toSorted(
    (a, b) =>
      a.from - b.from || b.to - a.to || rank(a) - rank(b) || Number(a.of === undefined) - Number(b.of === undefined),
  )
  const isGuess = ({ kind }: SecretMatch): boolean => kind === 'key' || kind === 'password' || kind === 'private key'
  const kept: SecretMatch[] = []
  for (const match of sorted) {
    const last = kept.at(-1)
    if (last === undefined || match.from >= last.to) {
      kept.push(match)
      continue
    }
    const [graver, milder] = rank(match) < rank(last) ? [match, last] : [last, match]
    kept[kept.length - 1] = isGuess(milder) ? { ...graver, from: last.from, to: Math.max(last.to, match.to) } : graver
  }
  return kept
}
