/** Lines of a command's answer as Markdown: items stay together, everything else is a paragraph of its own. */
export function noteText(lines: readonly string[]): string {
  const isItem = (line: string | undefined): boolean => line?.startsWith('- ') === true
  return lines
    .map((line, index) => (index === 0 ? line : `${isItem(line) && isItem(lines[index - 1]) ? '\n' : '\n\n'}${line}`))
    .join('')
}
