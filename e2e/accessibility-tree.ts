/** The page as a screen reader walks through it: the browser's own tree of what is told to assistive technology. */
import type { Page } from '@playwright/test'

type Node = {
  nodeId: string
  ignored: boolean
  childIds?: string[]
  role?: { value?: string }
  name?: { value?: string }
  properties?: { name: string; value: { value?: unknown } }[]
}

/** What a person acts on: without a name nobody knows what it does. */
const needsName: ReadonlySet<string> = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'switch',
  'slider',
  'tab',
  'option',
  'listbox',
  'meter',
  'article',
  'dialog',
  'alertdialog',
  'log',
  'image',
])

/** What is read in the wrong order or without a name, in the words of the reader. */
export async function misreadings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: Node[] }
  await session.detach()
  const byId = new Map(nodes.map(node => [node.nodeId, node]))
  const found: string[] = []
  let level = 0
  const read = (node: Node | undefined): void => {
    if (node === undefined) return
    const role = node.role?.value ?? ''
    const name = (node.name?.value ?? '').trim()
    if (!node.ignored) {
      if (needsName.has(role) && name === '') found.push(`${role} without a name`)
      if (role === 'heading') {
        const now = Number(node.properties?.find(one => one.name === 'level')?.value.value ?? 0)
        if (level > 0 && now > level + 1) found.push(`heading ${now} after ${level}: ${name}`)
        if (name === '') found.push(`heading ${now} without words`)
        level = now
      }
    }
    for (const child of node.childIds ?? []) read(byId.get(child))
  }
  read(nodes[0])
  return found
}
