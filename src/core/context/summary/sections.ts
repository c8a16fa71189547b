/** The six sections of a summary (C6.1): finding them in a text, and putting a text into their order. */

/** The headings, level 2, English in every language so that code can read them. */
export const sectionNames = [
  'Goal',
  'Constraints & Preferences',
  'Progress',
  'Key Decisions',
  'Next Steps',
  'Critical Context',
] as const
export type SectionName = (typeof sectionNames)[number]

/** The body of an empty section. */
export const emptySection = '(none)'

/** A parsed summary: our sections, the text before the first heading, the text under headings that are not ours. */
export type Sections = { found: ReadonlyMap<SectionName, string>; preface: string; other: string; inOrder: boolean }

/**
 * The sections of a summary with their bodies. Reads what small models write: other levels, bold instead of a heading,
 * numbers in front, other case, the Chinese names. A heading that comes twice adds to its first. Linear; never throws.
 */
export function parseSections(text: string): Sections {
  const found = new Map<SectionName, string[]>()
  const preface: string[] = []
  const other: string[] = []
  const order: SectionName[] = []
  let current = preface
  let fenced = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced
    const name = fenced ? undefined : headingOf(line)
    if (name === undefined) {
      // A foreign level-2 heading ends our section; its words are kept, one level lower.
      const foreign = !fenced && /^##?\s/.test(line)
      if (foreign) current = other
      current.push(foreign ? line.replace(/^##?/, '###') : line)
      continue
    }
    order.push(name)
    const known = found.get(name)
    if (known === undefined) {
      current = []
      found.set(name, current)
    } else current = known
  }
  const bodies = new Map([...found].map(([name, lines]) => [name, lines.join('\n').trim()] as const))
  const inOrder = order.length === sectionNames.length && order.every((name, index) => name === sectionNames[index])
  return { found: bodies, preface: preface.join('\n').trim(), other: other.join('\n').trim(), inOrder }
}

/** The text of a summary with these bodies: six headings in order, `(none)` where a body is empty. */
export function composeSummary(bodies: ReadonlyMap<SectionName, string>): string {
  return sectionNames.map(name => `## ${name}\n${bodies.get(name)?.trim() || emptySection}`).join('\n\n')
}

/**
 * A summary in the right form: all six headings in order, missing ones added with "(none)". Words outside the sections
 * are kept under Critical Context, but for one short line of introduction. Running it again changes nothing.
 */
export function inSections(text: string): string {
  const { found, preface, other, inOrder } = parseSections(text)
  if (inOrder && preface === '' && other === '' && sectionNames.every(name => found.get(name) !== ''))
    return text.trim()
  const bodies = new Map(found)
  const introduction = preface.length <= 200 && !preface.includes('\n')
  const parts = [bodies.get('Critical Context') ?? '', introduction ? '' : preface, other].filter(
    part => part !== '' && part !== emptySection,
  )
  if (parts.length > 0) bodies.set('Critical Context', parts.join('\n'))
  return composeSummary(bodies)
}

/**
 * The items of a section: its lines without bullet, number or box; `(none)` and sub-headings are no items. Never
 * throws.
 */
export function itemsOf(body: string): string[] {
  const items: string[] = []
  for (const line of body.split('\n')) {
    const item = line
      .trim()
      .replace(/^(?:[-*•]|\d{1,3}[.)])\s+/, '')
      .replace(/^\[[ xX]\]\s*/, '')
      .trim()
    if (item !== '' && !item.startsWith('#') && item !== emptySection && item !== '(无)') items.push(item)
  }
  return items
}

/** The three parts of Progress. What stands before the first of them counts as In Progress. */
export function progressItems(body: string): { done: string[]; running: string[]; blocked: string[] } {
  const parts = { done: [] as string[], running: [] as string[], blocked: [] as string[] }
  let current = parts.running
  for (const line of body.split('\n')) {
    const heading = /^#{2,5}\s+(.*)$/.exec(line.trim())?.[1]?.toLowerCase()
    if (heading === undefined) {
      const target = /^\s*[-*]\s*\[[xX]\]/.test(line) ? parts.done : current
      target.push(...itemsOf(line))
    } else if (heading.startsWith('done') || heading.startsWith('已完成')) current = parts.done
    else if (heading.startsWith('blocked') || heading.startsWith('受阻')) current = parts.blocked
    else current = parts.running
  }
  return parts
}

const names = new Map<string, SectionName>([
  ...sectionNames.map(name => [plain(name), name] as const),
  ['constraints and preferences', 'Constraints & Preferences'],
  ['constraints', 'Constraints & Preferences'],
  ['goals', 'Goal'],
  ['decisions', 'Key Decisions'],
  ['context', 'Critical Context'],
  ['目标', 'Goal'],
  ['约束与偏好', 'Constraints & Preferences'],
  ['约束和偏好', 'Constraints & Preferences'],
  ['进展', 'Progress'],
  ['进度', 'Progress'],
  ['关键决定', 'Key Decisions'],
  ['关键决策', 'Key Decisions'],
  ['下一步', 'Next Steps'],
  ['后续步骤', 'Next Steps'],
  ['关键上下文', 'Critical Context'],
  ['关键背景', 'Critical Context'],
])

function headingOf(line: string): SectionName | undefined {
  if (line.length > 80) return undefined
  const marked = /^\s{0,3}(?:#{1,3}\s*|\*\*)(.+)$/.exec(line)?.[1]
  return marked === undefined ? undefined : names.get(plain(marked))
}

function plain(heading: string): string {
  return heading
    .replace(/[*#:：]/g, '')
    .replace(/^\s*\d{1,2}[.)]\s*/, '')
    .trim()
    .toLowerCase()
}
