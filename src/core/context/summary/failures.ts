/** What the output of a tool says about a failure. Pure. */
import { clipped } from './clipped.ts'

/** UTF-16 units of an output that are looked at, at its start and at its end. */
const looked = { start: 4_000, end: 2_000 }

/** Whether an output that is not marked as one says that it is a failure. */
export function isFailed(text: string): boolean {
  return (
    /^\W{0,3}(?:error|traceback|fatal|exit code [1-9])/i.test(text.slice(0, 40)) ||
    /(?:^|\n)\W{0,3}(?:command )?exit(?:ed)?(?: with)?(?: code| status):? ?[1-9]\d*\W*$/i.test(text.slice(-80))
  )
}

/**
 * The line of a failure that says what failed: the last one that names an error, else the first of a few or the last of
 * many.
 */
export function firstTelling(text: string): string | undefined {
  const lines = linesOf(text)
  const telling =
    lines.findLast(line => /^(?:[\w.]{0,60}(?:Error|Exception)|error|fatal|panic)\b/i.test(line)) ??
    lines.findLast(line => /\b(?:error|failed|denied|refused|cannot|not found|no such)\b|错误|失败|无法/i.test(line))
  const line = telling ?? (lines.length <= 3 ? lines[0] : lines.at(-1))
  return line === undefined ? undefined : clipped(line, 200)
}

/** How runners name a test that failed, and how they count those. */
const failedTest =
  /^(?:FAIL(?:ED)?:?\s+(?!\d)|[✗✘×✖]\s+|not ok \d+ - |--- FAIL: |\d+\) (?=\S.*(?:test|spec|it |should|\())|test \S+ \.\.\. FAILED)/
const counted = /\b([1-9]\d*) (?:failed|failures?|failing)\b/i
const message =
  /^(?:E\s+|[\w.]{0,60}(?:Error|Exception)\b|assert|expected|\*\* \(|thread .* panicked|error(?:\[\w+\])?:)/i

/** The tests that an output names as failed, each with its message; undefined where none failed. */
export function failingTests(text: string): string | undefined {
  const ends = text.length > looked.start ? text.slice(-looked.end) : text
  if (!counted.test(ends) && !/FAIL|not ok|✗|✘|✖/.test(ends)) return undefined
  const lines = linesOf(text)
  const told: string[] = []
  for (const [at, line] of lines.entries()) {
    if (told.length === 3) break
    if (!failedTest.test(line)) continue
    const why = lines.slice(at + 1, at + 12).find(next => message.test(next))
    const one = clipped(why === undefined ? line : `${line} — ${why}`, 120)
    if (!told.includes(one)) told.push(one)
  }
  const count = lines.findLast(line => counted.test(line))
  if (told.length === 0) return count === undefined ? undefined : clipped(count, 200)
  return told.join('; ')
}

function linesOf(text: string): string[] {
  return text
    .slice(0, looked.start)
    .split('\n')
    .concat(text.length > looked.start ? text.slice(-Math.min(looked.end, text.length - looked.start)).split('\n') : [])
    .map(line => line.trim())
    .filter(line => line !== '')
}
