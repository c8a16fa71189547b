/** A passage of Markdown as it reads: without its marks, its marked words where they are then. Pure. */

type Marks = readonly (readonly [number, number])[]
type Edit = { from: number; to: number; text: string }

/**
 * The passage in one line, as a hit of the search shows it. `markdown` false: only the line breaks go, as a log or a
 * result has no such signs. Marks are UTF-16 offsets, `to` exclusive; what holds a marked word stays as it is.
 */
export function plainPassage(
  text: string,
  marks: Marks,
  { markdown }: { markdown: boolean },
): { text: string; marks: [number, number][] } {
  const code = markdown ? codeOf(text) : []
  const groups = [...(markdown ? signsOf(text, code) : []), ...breaksOf(text)]
  const isMarked = ({ from, to }: Edit): boolean => marks.some(([start, end]) => start < to && end > from)
  const edits = groups
    .filter(group => !group.some(isMarked))
    .flat()
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
  let out = ''
  let at = 0
  const moved: { from: number; by: number }[] = [{ from: 0, by: 0 }]
  for (const { from, to, text: instead } of edits) {
    if (from < at) continue
    out += text.slice(at, from) + instead
    at = to
    moved.push({ from: to, by: out.length - to })
  }
  out += text.slice(at)
  const place = (offset: number): number => offset + moved.findLast(({ from }) => from <= offset)!.by
  return { text: out, marks: marks.map(([from, to]) => [place(from), place(to - 1) + 1]) }
}

const gone = (from: number, to: number): Edit => ({ from, to, text: '' })

/** Code, in which no sign means anything; with its fences or ticks. */
function codeOf(text: string): { from: number; to: number; ticks: number }[] {
  const fences = [...text.matchAll(/^[ \t]*(```+|~~~+)[^\n]*\n([^]*?)(?:^[ \t]*\1[^\n]*$|$(?![^]))/gm)]
  const blocks = fences.map(({ index, 0: whole }) => ({ from: index, to: index + whole.length, ticks: 0 }))
  const spans = [...text.matchAll(/(`+)([^`\n]+)\1/g)].map(({ index, 0: whole, 1: ticks = '' }) => ({
    from: index,
    to: index + whole.length,
    ticks: ticks.length,
  }))
  return [...blocks, ...spans.filter(({ from }) => !blocks.some(block => block.from <= from && from < block.to))]
}

/** What Markdown takes for a sign, by what belongs together. */
function signsOf(text: string, code: readonly { from: number; to: number; ticks: number }[]): Edit[][] {
  const groups: Edit[][] = []
  const inCode = (at: number): boolean => code.some(({ from, to }) => from <= at && at < to)
  const each = (pattern: RegExp, make: (from: number, found: RegExpExecArray) => Edit[]): void => {
    for (const found of text.matchAll(pattern)) if (!inCode(found.index)) groups.push(make(found.index, found))
  }
  const around = (from: number, [whole, sign = '']: RegExpExecArray): Edit[] => [
    gone(from, from + sign.length),
    gone(from + whole.length - sign.length, from + whole.length),
  ]
  for (const { from, to, ticks } of code) {
    if (ticks > 0) groups.push([gone(from, from + ticks), gone(to - ticks, to)])
    else
      for (const { index, 0: line } of text.slice(from, to).matchAll(/^[ \t]*(?:```|~~~)[^\n]*$/gm))
        groups.push([gone(from + index, from + index + line.length)])
  }
  each(/^[ \t]{0,3}#{1,6}[ \t]+/gm, (from, [whole]) => [gone(from, from + whole.length)])
  each(/^[ \t]*(?:>[ \t]?)+/gm, (from, [whole]) => [gone(from, from + whole.length)])
  each(/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/gm, (from, [whole]) => [{ from, to: from + whole.length, text: '• ' }])
  each(/^[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*$/gm, (from, [whole]) => [gone(from, from + whole.length)])
  each(/^[ \t]*\|([^\n]*?)\|?[ \t]*$/gm, (from, [whole]) => cellsOf(whole, from))
  each(
    /(!?\[)([^\]\n]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:[ \t]+"[^"\n]*")?\)/g,
    (from, [whole, open = '', words = '']) => [
      gone(from, from + open.length),
      gone(from + open.length + words.length, from + whole.length),
    ],
  )
  each(/(\*\*\*|\*\*|~~)(?=[^\s*~])[^]*?[^\s*~]\1/g, around)
  each(/(?<![\p{L}\p{N}_])(__|_)(?=[^\s_])[^_\n]*[^\s_]\1(?![\p{L}\p{N}_])/gu, around)
  each(/(?<![\p{L}\p{N}*])(\*)(?=[^\s*])[^*\n]*[^\s*]\1(?![\p{L}\p{N}*])/gu, around)
  return groups
}

/** The bars of a row of a table: the outer ones go, between cells there is a dot. */
function cellsOf(row: string, at: number): Edit[] {
  const bars = [...row.matchAll(/[ \t]*(?<!\\)\|[ \t]*/g)]
  return bars.map(({ index, 0: bar }) => ({
    from: at + index,
    to: at + index + bar.length,
    text: row.slice(0, index).trim() === '' || row.slice(index + bar.length).trim() === '' ? '' : ' · ',
  }))
}

function breaksOf(text: string): Edit[][] {
  return [...text.matchAll(/[ \t]*[\r\n]+/g)].map(({ index, 0: whole }) => [
    { from: index, to: index + whole.length, text: ' ' },
  ])
}
