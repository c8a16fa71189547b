/** A summary as a card shows it: its sections by name. Pure. */

export type Section = { key: string | undefined; title: string; text: string }

/** The six headings (C6.1) and the keys of their short names in `words().chat.sections`. */
const keys: Record<string, string> = {
  goal: 'goal',
  'constraints & preferences': 'constraints',
  progress: 'progress',
  'key decisions': 'decisions',
  'next steps': 'next',
  'critical context': 'critical',
}

/**
 * The sections in order; a text without headings is one section without a title. What is empty or "(none)" is left out.
 */
export function shownSections(text: string): Section[] {
  const sections: Section[] = []
  let lines: string[] = []
  let title = ''
  const close = () => {
    const body = withoutNone(withoutCutDoubles(lines))
    if (body !== '') sections.push({ key: keys[title.toLowerCase()], title, text: body })
    lines = []
  }
  for (const line of text.split('\n')) {
    const heading = /^##\s+(.+?)\s*$/.exec(line)
    if (heading === null) {
      lines.push(line)
      continue
    }
    close()
    title = heading[1]!
  }
  close()
  return sections
}

/**
 * What the check of a summary adds to it (core/context/summary/audit-summary.ts), in the person's words: the stored
 * ones are the model's.
 */
export function inWords(text: string, words: { unconfirmed: string; alsoMentioned: string }): string {
  return text
    .replace(/^- Unconfirmed \(in no source\): /gm, () => `- ${words.unconfirmed} `)
    .replace(/^- Also mentioned: /gm, () => `- ${words.alsoMentioned} `)
}

/**
 * The points without those that only begin another one: a text that was cut off gives the same sentence at several
 * lengths, and the longest says all of them.
 */
function withoutCutDoubles(lines: readonly string[]): readonly string[] {
  const points = lines.map(pointOf)
  const isCut = (point: string) => points.some(other => other.length > point.length && other.startsWith(point))
  return lines.filter((_, i) => points[i] === '' || !isCut(points[i]!))
}

/** What a point of a list says, without the mark of a cut; '' for other lines, and for points too short to tell. */
function pointOf(line: string): string {
  const said = /^\s*(?:[-*]|\d+[.)])\s+(.*?)[\s…]*$/.exec(line)?.[1] ?? ''
  return said.length < shortestPoint ? '' : said
}
/** Shorter points may begin others by chance: "Tests" and "Tests of the login". Unit: UTF-16 units. */
const shortestPoint = 20

/** The lines without those that say "(none)", and without headings that nothing stands under then. */
function withoutNone(lines: readonly string[]): string {
  const said = lines.filter(line => !/^\s*(?:[-*]\s+|\d+[.)]\s+)?[(（](?:none|无)[)）]\s*$/i.test(line))
  const isHeading = (line: string | undefined) => line === undefined || /^#{3,6}\s/.test(line)
  const full = said.filter(
    (line, i) => !isHeading(line) || !isHeading(said.slice(i + 1).find(next => next.trim() !== '')),
  )
  return full.join('\n').trim()
}
