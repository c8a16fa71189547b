/** A file of chats in pieces: the items of its list, its lines, or the one object that it is (C16). Pure. */
import { isJson, parsedJson } from '../text/json.ts'
import type { Findings, SourcePiece, SourceShape } from './shape/reader.ts'

/** Longest piece, UTF-16 units: a chat of a hundred million characters is no chat. */
const longestPiece = 256_000_000
const [quote, comma, backslash] = [34, 44, 92]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

/**
 * How the pieces lie, by the beginning of the file. `linewise`: the format is one of lines, also where only one is
 * there.
 */
export function shapeOf(head: string, linewise: boolean): SourceShape {
  const text = head.replace(/^\uFEFF/, '').trimStart()
  if (text.startsWith('[')) return 'list'
  const lines = text.split('\n').filter(line => line.trim() !== '')
  // One line, which may go on behind the head.
  if (lines.length <= 1) return linewise ? 'lines' : 'object'
  return lines.slice(0, 5).some(line => line.startsWith('{') && isJson(line)) ? 'lines' : 'object'
}

/** Cuts a text that comes in parts, of whatever size, into its pieces. Time grows with the text alone. */
export class SourcePieces {
  readonly #shape: SourceShape
  readonly #findings: Pick<Findings, 'bad' | 'skipped'>
  /** Parts of the piece that has begun and is not whole. */
  #held: string[] = []
  #heldLength = 0
  #at: number
  #isFirst = true
  // of a list
  #depth = 0
  #inString = false
  #escaped = false
  #isOver = false

  constructor(shape: SourceShape, findings: Pick<Findings, 'bad' | 'skipped'>) {
    this.#shape = shape
    this.#findings = findings
    this.#at = shape === 'lines' ? 1 : 0
  }

  /** Takes the next part; answers with the pieces that are whole by now. */
  push(part: string): SourcePiece[] {
    const text = this.#isFirst ? part.replace(/^\uFEFF/, '') : part
    this.#isFirst &&= part === ''
    switch (this.#shape) {
      case 'lines':
        return this.#lines(text)
      case 'list':
        return this.#items(text)
      case 'object':
        this.#hold(text)
        return []
      default:
        return this.#shape satisfies never
    }
  }

  /** The file has ended. */
  end(): SourcePiece[] {
    const rest = this.#taken('')
    if (this.#shape === 'lines') return this.#line(rest)
    if (this.#shape === 'object') return this.#piece(rest)
    if (!this.#isOver) this.#findings.skipped.push({ at: this.#at, why: 'the file ends in it' })
    return []
  }

  #lines(text: string): SourcePiece[] {
    const lines = text.split('\n')
    const last = lines.pop() ?? ''
    const pieces = lines.flatMap(line => this.#line(this.#taken(line)))
    this.#hold(last)
    return pieces
  }

  #line(line: string): SourcePiece[] {
    const at = this.#at++
    if (line.trim() === '') return []
    const value = parsedJson(line)
    if (value !== undefined) return [{ value, at }]
    this.#findings.bad.push({ line: at, why: 'not JSON' })
    return []
  }

  /** Items end at a comma or the closing bracket of the list; strings hide both. */
  #items(text: string): SourcePiece[] {
    const pieces: SourcePiece[] = []
    let from = 0 // where in this part the item at hand begins, or goes on
    for (let i = 0; i < text.length && !this.#isOver; i++) {
      const code = text.charCodeAt(i)
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false
        else if (code === backslash) this.#escaped = true
        else if (code === quote) this.#inString = false
        continue
      }
      if (code === quote) this.#inString = true
      else if (code === openList || code === openObject) {
        this.#depth++
        if (this.#depth === 1) from = i + 1
      } else if (code === closeList || code === closeObject) {
        this.#depth--
        this.#isOver = this.#depth === 0
      }
      if (this.#isOver || (this.#depth === 1 && code === comma)) {
        pieces.push(...this.#piece(this.#taken(text.slice(from, i))))
        from = i + 1
      }
    }
    if (!this.#isOver && this.#depth > 0) this.#hold(text.slice(from))
    return pieces
  }

  #hold(text: string): void {
    if (text === '') return
    this.#heldLength += text.length
    if (this.#heldLength <= longestPiece) this.#held.push(text)
    else this.#held = []
  }

  /** The piece whose last part this is. One that is too long is empty, and told. */
  #taken(last: string): string {
    const isTooLong = this.#heldLength + last.length > longestPiece
    const text = this.#held.join('') + (isTooLong ? '' : last)
    this.#held = []
    this.#heldLength = 0
    if (!isTooLong) return text
    this.#findings.skipped.push({ at: this.#at, why: 'it is too long for a chat' })
    return ''
  }

  #piece(text: string): SourcePiece[] {
    if (text.trim() === '') return []
    const at = this.#at++
    const value = parsedJson(text)
    if (value !== undefined) return [{ value, at }]
    this.#findings.skipped.push({ at, why: 'not JSON' })
    return []
  }
}
