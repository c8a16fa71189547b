/** Whether two texts are about the same thing, by the words that they share. */

const stop = new Set(
  'the and for that this with will should need needs have has must next still todo into from then also now was were are been done fixed finished'.split(
    ' ',
  ),
)

/** The words of a text that tell something; of Chinese its pairs. */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[a-z][a-z0-9_./-]{1,39}[a-z0-9_]/g))
    if (!stop.has(word)) words.add(word)
  for (const [run] of text.matchAll(/[\u3400-\u9fff]{2,60}/g))
    for (let i = 0; i + 1 < run.length; i++) words.add(run.slice(i, i + 2))
  return words
}

/** Share of the first words that are among the second ones; 1 where there are none. */
export function shareOfWords(open: ReadonlySet<string>, done: ReadonlySet<string>): number {
  if (open.size === 0) return 1
  let both = 0
  for (const word of open) if (done.has(word)) both++
  return both / open.size
}
