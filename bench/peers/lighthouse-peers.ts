/** Lighthouse, which looks at the built page. */
import run from 'lighthouse'
import type { LighthouseReport } from './peers.ts'

/** Looks at a page with the browser that listens on this port; `categories` as Lighthouse names them. */
export async function lighthouse(url: string, port: number, categories: readonly string[]): Promise<LighthouseReport> {
  const result = await run(url, { port, onlyCategories: [...categories], logLevel: 'error' })
  if (result === undefined) throw new Error('Lighthouse gave no report')
  return result.lhr as LighthouseReport
}
