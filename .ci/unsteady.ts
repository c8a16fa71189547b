/**
 * What becomes of browser tests that failed: each is run again alone, twice. One that passes both times is told as
 * unsteady and does not make the run red; one that fails again does, and so do more than a few unsteady ones.
 */

/** More unsteady tests than this in one run are not bad luck. */
export const mostUnsteady = 3

/**
 * A test as the runner finds it again: `file` and `line` of where it stands, `title` with those of the groups around
 * it.
 */
export type BrowserTest = { file: string; line: number; title: string }

type Suite = {
  title: string
  file?: string
  suites?: Suite[]
  specs?: { title: string; file: string; line: number; ok: boolean }[]
}
/** As much of Playwright's JSON report as is read here. */
export type PlaywrightReport = { suites: Suite[]; stats: { expected: number; unexpected: number; flaky: number } }

/** The tests of a report that failed, in order. */
export function failedTests(report: PlaywrightReport): BrowserTest[] {
  const inside = (suite: Suite, around: readonly string[]): BrowserTest[] => {
    const titles = suite.title === suite.file ? around : [...around, suite.title]
    const own = (suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map(({ title, file, line }) => ({ file, line, title: [...titles, title].join(' ') }))
    return [...own, ...(suite.suites ?? []).flatMap(child => inside(child, titles))]
  }
  return report.suites.flatMap(suite => inside(suite, []))
}

/** What Playwright is told to run just this test: several may stand on one line, so the title counts too. */
export function only({ file, line, title }: BrowserTest): string[] {
  return [`${file}:${line}`, '--grep', `${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`]
}

/** The count of a run whose failed tests were run again; `steady` says of each whether it passed both times. */
export function countAgain(
  { passed, failed }: { passed: number; failed: number },
  steady: readonly boolean[],
): { passed: number; failed: number } {
  const again = steady.filter(Boolean).length
  return { passed: passed + again, failed: failed - again }
}

/** The count of everything: too many unsteady tests, wherever they stand, have failed after all. */
export function countUnsteady(
  { passed, failed }: { passed: number; failed: number },
  unsteady: number,
): { passed: number; failed: number } {
  return unsteady > mostUnsteady ? { passed: passed - unsteady, failed: failed + unsteady } : { passed, failed }
}
