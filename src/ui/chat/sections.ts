/** A summary as a card shows it: its sections by name. Pure. */

export type Section = { key: string | undefined; title: string; text: string }

/** The six headings (C6.1) and the keys of their short names in `words().chat.sections`. */
const keys: Record<string, string> = {
  'goal': 'goal', 'constraints & preferences': 'constraints', 'progress': 'progress', 'key decisions': 'decisions', 'next steps': 'next', 'critical context': 'critical',
}

/** The sections in order; a text without headings is one section without a title. Empty ones and "(none)" are left out. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  let lines: string[] = []
  let title = ''
  const close = () => {
    const body = lines.join('\n').trim()
    if (body !== '' && !/^\(none\)$/i.test(body)) sections.push({ key: keys[title.toLowerCase()], title, text: body })
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
