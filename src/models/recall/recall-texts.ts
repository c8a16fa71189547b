/** What the built-in model says, in English and Chinese. */
import { isolated } from '../../core/text/display/isolate.ts'
import { recallLines, type RecallLines } from '../../core/agent/i18n/recall-lines.ts'
import type { Passage } from './recall-passages.ts'

/** Most passages in one answer: more, nobody reads. */
const mostPassages = 3
/** Longest piece of a tool's answer that is shown, code points. */
const mostOfResult = 4_000

type Words = RecallLines & {
  found(passages: readonly Passage[]): string
  result(tool: string, text: string): string
  toolFailed(tool: string, text: string): string
}

export const recallTexts: { en: Words; zh: Words } = {
  en: {
    ...recallLines.en,
    found: passages => list(passages, { line: 'line', lines: 'lines' }),
    result: (tool, text) => `This is what \`${tool}\` gave:

${fenced(text)}`,
    toolFailed: (tool, text) => `\`${tool}\` did not work:

${fenced(text)}

I try nothing else by myself. \`/help\` lists the commands.`,
  },
  zh: {
    ...recallLines.zh,
    found: passages => list(passages, { line: '第', lines: '第', end: '行' }),
    result: (tool, text) => `\`${tool}\` 返回的内容：

${fenced(text)}`,
    toolFailed: (tool, text) => `\`${tool}\` 没有成功：

${fenced(text)}

我不会自行再试。输入 \`/help\` 查看命令。`,
  },
}

type LineWords = { line: string; lines: string; end?: string }

/** Each passage, with what was answered where it asks, and below it where and when it was said. */
function list(passages: readonly Passage[], say: LineWords): string {
  return passages
    .slice(0, mostPassages)
    .map(passage => {
      const answered = /[?？]\s*$/u.test(passage.text) && passage.after ? `\n\n${passage.after}` : ''
      return `${quoted(`${passage.text}${answered}`)}\n\n${placeOf(passage, say)}`
    })
    .join('\n\n')
}

function placeOf({ path, from, to, said }: Passage, say: LineWords): string {
  if (!path) return ''
  const chat = said
    ? ` · ${said
        .split(/, (?=\d{4}-\d{2}-\d{2})/)
        .map(isolated)
        .join(' · ')}`
    : ''
  const end = say.end ? ` ${say.end}` : ''
  if (from === undefined) return `\`${path}\`${chat}`
  return to !== undefined && to !== from
    ? `\`${path}\` · ${say.lines} ${from}–${to}${end}${chat}`
    : `\`${path}\` · ${say.line} ${from}${end}${chat}`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n')
}

/** A fence longer than any in the text, so that a tool's answer cannot leave it. */
function fenced(text: string): string {
  const points = Array.from(text)
  const cut = points.length > mostOfResult ? `${points.slice(0, mostOfResult).join('')}\n…` : text
  const longest = Math.max(2, ...Array.from(cut.matchAll(/`+/g), run => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${cut.trimEnd()}\n${fence}`
}
