/**
 * Reasoning that a model or server leaves inside the text, between `<think>` and `</think>` or the tags of its family.
 */

export type ThinkPiece = { type: 'text' | 'reasoning'; text: string }
export type ThinkTags = {
  /** Takes a piece of text; what may be part of a tag is buffered. */
  push(text: string): ThinkPiece[]
  /** The rest of the buffered text. */
  end(): ThinkPiece[]
  /** The text closed a thought that it had not opened: the chat template did. The next answer will begin inside one. */
  readonly openedByTemplate: boolean
}

/** Pairs of tags, lower case: most models; Magistral; Kimi; Seed. */
const pairs: readonly (readonly [string, string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map(name => [`<${name}>`, `</${name}>`] as const),
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  // gpt-oss's channels, where a server leaves them: what is no thought begins with a mark of its own
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|start|>assistant<|channel|>analysis<|message|>', '<|end|>'],
]
const finals = ['<|channel|>final<|message|>', '<|start|>assistant<|channel|>final<|message|>'] as const
const finalEnds = ['<|return|>', '<|end|>'] as const

/**
 * Splits one answer. Only a tag at its very beginning opens a thought: anywhere else it is prose about tags.
 * An unclosed thought is reasoning to the end. With `inside` the answer begins in a thought; if that is never closed,
 * all of it is given again as text, so that no answer is lost to a wrong guess.
 */
export function thinkTags(inside: boolean): ThinkTags {
  let state: 'start' | 'thought' | 'after' | 'text' = inside ? 'thought' : 'start'
  let close = '</think>'
  let held = ''
  let lastChar = ''
  let guessed = inside ? '' : undefined
  let openedByTemplate = false
  /** The answer came in a channel. */
  let inChannel = false

  const take = (): ThinkPiece[] => {
    const out: ThinkPiece[] = []
    for (;;) {
      if (state === 'start') {
        const begun = lowerSameLength(held.trimStart())
        const found = pairs.find(([open]) => begun.startsWith(open))
        if (found) {
          close = found[1]
          held = held.trimStart().slice(found[0].length)
          state = 'thought'
          continue
        }
        const final = finals.find(mark => begun.startsWith(mark))
        if (final) {
          held = held.trimStart().slice(final.length)
          inChannel = true
          state = 'text'
          continue
        }
        // blanks, or a tag that is still coming
        if ([...pairs.map(([open]) => open), ...finals].some(open => open.startsWith(begun))) return out
        state = 'text'
        continue
      }
      if (state === 'thought') {
        const at = lowerSameLength(held).indexOf(close)
        if (at < 0) {
          const keep = overlap(lowerSameLength(held), close)
          give(out, 'reasoning', held.slice(0, held.length - keep))
          held = held.slice(held.length - keep)
          return out
        }
        give(out, 'reasoning', held.slice(0, at))
        held = held.slice(at + close.length)
        if (guessed !== undefined) openedByTemplate = true
        guessed = undefined
        state = close === '<|end|>' ? 'start' : 'after'
        continue
      }
      if (state === 'after') {
        held = held.trimStart()
        if (held === '') return out
        state = 'text'
        continue
      }
      if (inChannel) {
        const small = lowerSameLength(held)
        const end = finalEnds
          .map(mark => ({ mark, at: small.indexOf(mark) }))
          .filter(({ at }) => at >= 0)
          .toSorted((a, b) => a.at - b.at)[0]
        if (end) {
          give(out, 'text', held.slice(0, end.at))
          held = held.slice(end.at + end.mark.length)
          continue
        }
        const keep = Math.max(...finalEnds.map(mark => overlap(small, mark)))
        give(out, 'text', held.slice(0, held.length - keep))
        held = held.slice(held.length - keep)
        return out
      }
      const at = openedByTemplate || inside ? -1 : lowerSameLength(held).indexOf('</think>')
      if (at >= 0) {
        const quoted = /[`'"“‘]/.test(at > 0 ? held.charAt(at - 1) : lastChar) // then it is prose about tags
        give(out, 'text', held.slice(0, quoted ? at + '</think>'.length : at))
        held = held.slice(at + '</think>'.length)
        if (quoted) continue
        openedByTemplate = true
        state = 'after'
        continue
      }
      const keep = openedByTemplate || inside ? 0 : overlap(lowerSameLength(held), '</think>')
      give(out, 'text', held.slice(0, held.length - keep))
      held = held.slice(held.length - keep)
      return out
    }
  }
  const give = (out: ThinkPiece[], type: ThinkPiece['type'], text: string): void => {
    if (text === '') return
    lastChar = text.slice(-1)
    out.push({ type, text })
    if (type === 'reasoning' && guessed !== undefined) guessed += text
  }

  return {
    push(text) {
      held += text
      return take()
    },
    end() {
      const out: ThinkPiece[] = []
      give(out, state === 'thought' ? 'reasoning' : 'text', held)
      held = ''
      if (state === 'thought' && guessed !== undefined) give(out, 'text', guessed)
      return out
    },
    get openedByTemplate() {
      return openedByTemplate
    },
  }
}

/**
 * Small letters without a change of length: some letters outside of ASCII have two small ones, and places would be off.
 */
export function lowerSameLength(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

/** Length of the longest end of `text` that begins `tag`. */
export function overlap(text: string, tag: string): number {
  for (let n = Math.min(tag.length - 1, text.length); n > 0; n--) if (text.endsWith(tag.slice(0, n))) return n
  return 0
}
