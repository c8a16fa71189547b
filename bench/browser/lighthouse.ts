/**
 * `npm run --silent bench -- lighthouse [DIST]`: what Lighthouse says of the built page, served with compression as
 * static hosts do, on its slow phone; the median of five visits. Lighthouse is installed apart, with the peers.
 */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import { findChromium } from '../../.ci/chromium.ts'
import { serveStatic } from '../../e2e/servers/static-server.ts'
import { peersOf, type LighthouseReport } from '../peers/peers.ts'
import type { Bench } from '../shared/machine.ts'
import { rounded } from './browser-probe.ts'

const visits = 5
const categories = ['performance', 'accessibility', 'best-practices'] as const
const audits = {
  firstPaintMs: 'first-contentful-paint',
  largestPaintMs: 'largest-contentful-paint',
  blockedMs: 'total-blocking-time',
  layoutShift: 'cumulative-layout-shift',
} as const

type Look = Awaited<ReturnType<typeof peersOf<'lighthouse'>>>['lighthouse']

/** A port of the loopback address that is free now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** One visit with a new browser, so that nothing is kept from the one before. */
async function visit(look: Look, url: string): Promise<LighthouseReport> {
  const port = await freePort()
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-quic', '--disable-background-networking'],
  })
  try {
    return await look(url, port, categories)
  } finally {
    await browser.close()
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** What counts for a score and is not perfect, of any visit. */
const lacking = (reports: readonly LighthouseReport[]): string[] => [
  ...new Set(
    reports.flatMap(report =>
      categories.flatMap(category =>
        report.categories[category]!.auditRefs.flatMap(({ id, weight }) => {
          const { score, title } = report.audits[id]!
          return weight > 0 && score !== null && score < 0.9 ? [`${category}: ${title} (${id})`] : []
        }),
      ),
    ),
  ),
]

export const lighthouse: Bench = async dist => {
  const { lighthouse: look } = await peersOf('lighthouse')
  const app = await serveStatic({ compressed: true, ...(dist === undefined ? {} : { dist }) })
  const reports: LighthouseReport[] = []
  try {
    for (let at = 0; at < visits; at++) {
      const report = await visit(look, `${app.url}/`)
      reports.push(report)
      const scores = categories.map(name => `${name} ${Math.round((report.categories[name]!.score ?? 0) * 100)}`)
      console.error(`visit ${at + 1}: ${scores.join(', ')} (load ${rounded(loadavg()[0] ?? 0)})`)
    }
  } finally {
    await app.close()
  }
  const of = (read: (report: LighthouseReport) => number) => median(reports.map(read))
  return {
    lighthouse: reports[0]!.lighthouseVersion,
    visits,
    load: rounded(loadavg()[0] ?? 0),
    scores: Object.fromEntries(
      categories.map(name => [name, Math.round(of(report => report.categories[name]!.score ?? 0) * 100)]),
    ),
    ...Object.fromEntries(
      Object.entries(audits).map(([name, id]) => [
        name,
        Number(of(report => report.audits[id]!.numericValue ?? Number.NaN).toFixed(id.endsWith('shift') ? 4 : 0)),
      ]),
    ),
    lacking: lacking(reports),
  }
}
