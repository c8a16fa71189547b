/** Reads the context window from the header of a GGUF file. */

/** Read at most, bytes: what describes the model stands before its vocabulary. */
const headBytes = 1_048_576
/** Bytes of a value by its type; 8 is a text, 9 a list. */
const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }

/**
 * The longest text that the model was made for, tokens: the engine takes no larger window. Undefined where the file
 * does not tell.
 */
export async function ggufWindow(file: Blob): Promise<number | undefined> {
  try {
    return windowIn(new DataView(await file.slice(0, headBytes).arrayBuffer()))
  } catch {
    return undefined // cut off in the middle of a value, or no such file: then the engine will tell
  }
}

function windowIn(view: DataView): number | undefined {
  let at = 24 // magic, version, count of tensors, count of values
  const number = (): number => {
    const value = Number(view.getBigUint64(at, true))
    at += 8
    return value
  }
  const type = (): number => {
    const value = view.getUint32(at, true)
    at += 4
    return value
  }
  const skip = (kind: number): void => {
    if (kind === 8) {
      const length = number()
      at += length
    } else if (kind === 9) {
      const of = type()
      const count = number()
      if (of in sizes) at += count * sizes[of]!
      else for (let left = count; left > 0; left--) skip(of) // ends with the file at the latest
    } else {
      const size = sizes[kind]
      // without a size a list of them would never end
      if (size === undefined) throw new RangeError('a type that nobody knows')
      at += size
    }
  }
  for (let left = Number(view.getBigUint64(16, true)); left > 0; left--) {
    const length = number()
    const key = new TextDecoder().decode(new Uint8Array(view.buffer, at, length))
    at += length
    const kind = type()
    if (key.endsWith('.context_length') && (kind === 4 || kind === 10))
      return kind === 4 ? view.getUint32(at, true) : number()
    skip(kind)
    if (!(at <= view.byteLength)) return undefined // behind what was read
  }
  return undefined
}
