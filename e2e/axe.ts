/** What axe finds on the page as it is now. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { target: string[]; failureSummary?: string }[] }

/** Rules that axe calls moderate, and without which a screen reader's lists of headings and regions mislead. */
const alsoHeld: ReadonlySet<string> = new Set([
  'heading-order',
  'landmark-no-duplicate-banner',
  'landmark-one-main',
  'landmark-unique',
])

/**
 * The serious and critical findings of axe on what is shown now; of all its rules or of these. Where a dialog keeps the
 * rest of the page out of reach, in the dialog: the rest was looked at before it opened.
 */
export async function faults(page: Page, rules?: string[]): Promise<string[]> {
  // Given by the debugger, which the page's policy does not bind.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async options => {
      const { axe } = window as unknown as {
        axe: { run(context: Element | Document, options: object): Promise<{ violations: Violation[] }> }
      }
      return (
        await axe.run(document.querySelector('dialog:modal') ?? document, { resultTypes: ['violations'], ...options })
      ).violations
    },
    rules === undefined ? {} : { runOnly: rules },
  )
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || alsoHeld.has(id))
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`)
          .join('; ')}`,
    )
}
