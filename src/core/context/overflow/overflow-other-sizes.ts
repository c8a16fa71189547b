/**
 * Bounds in a refusal that are no tokens: bytes of the body, characters of one text, and how many pictures a request
 * may hold (C8). Pure; plain lower-case text goes in.
 */

const unit = String.raw`(bytes?|[kmg]i?b)\b`
const bound = String.raw`(?:\blimit(?:ed)?(?: is| of| to)?|\bmax(?:imum)?(?: \w+){0,4}?(?: is| of)?|\bexceed(?:s|ed|ing)?(?: \w+){0,4}?|\bat most|\bup to|\bno more than|\b(?:larger|greater|more|less|fewer|smaller) than(?: or equal to)?|\bonly|\ballow(?:s|ed)|<=|≤|最大|最多|不能超过|不得超过|超过|上限)`

/** Bytes that a body may have; undefined where none are told. */
export function bytesAllowed(text: string): number | undefined {
  const labelled = new RegExp(String.raw`${bound}[^\d\n]{0,24}?(\d+(?:\.\d+)?) ?${unit}`).exec(text)
  if (labelled) return bytesOf(labelled[1], labelled[2])
  // A size of a body is told in bytes, with or without the word.
  const plain = new RegExp(
    String.raw`\b(?:body|payload|content|entity)\b[^\d\n]{0,30}?${bound}?[^\d\n]{0,24}?(\d{4,12})(?![\d.]| ?(?:tokens?|characters|chars)\b)`,
  ).exec(text)
  return plain && !/\btokens?\b/.test(text) ? Number(plain[1]) : undefined
}

function bytesOf(value: string | undefined, named: string | undefined): number {
  const binary = named?.[1] === 'i' ? 1_024 : 1_000
  const power = { k: 1, m: 2, g: 3 }[named?.[0] ?? ''] ?? 0
  return Math.floor(Number(value) * binary ** power)
}

/** How many pictures a request may hold; undefined where the words are of something else, of their size for example. */
export function imagesAllowed(text: string): number | undefined {
  if (!/\bimages?\b|\bpictures?\b|图片|图像|圖片|\bbilder\b|\bim[aá]gene?s\b|\bimagens\b|\bimmagini\b/.test(text))
    return undefined
  if (/\bpixels?\b|\bpx\b|\bdimensions?\b|\d ?(?:bytes|[kmg]i?b)\b|\btokens?\b/.test(text)) return undefined
  const count = String.raw`(\d{1,4})(?!\d|[.,]\d|%|\s?(?:st|nd|rd|th)\b)`
  const found =
    new RegExp(String.raw`${bound}[^\d\n]{0,24}?${count}`).exec(text) ??
    new RegExp(
      String.raw`\b${count} ?(?:images?|pictures?)? ?(?:\(?max(?:imum)?\)?|au maximum|at most|allowed|per request)`,
    ).exec(text)
  return found ? Number(found[1]) : undefined
}

/** What is bounded by less is a name, and no text that can be shortened. Unit: characters. */
const leastText = 1_000

/**
 * Characters that each text of a request may have; undefined where none are told, and where it is said of a name, or of
 * tools.
 */
export function charactersAllowed(text: string): number | undefined {
  if (/\b(?:tools?|functions?)(?:\[\d+\]|\.\d+)/.test(text)) return undefined
  const told = /\b(?:maximum length|max_length\W{0,3}|at most|maximum allowed) ?\(?(\d+)/.exec(text)?.[1]
  return told !== undefined && Number(told) >= leastText ? Number(told) : undefined
}
