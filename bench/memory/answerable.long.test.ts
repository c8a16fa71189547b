import { expect, it } from 'vitest'
import { answerableWith } from './answerable.ts'

it('tells what was said from what was never said, also in words that the threshold was not fitted on', async () => {
  const { threshold, bestThreshold, fitted, checked } = await answerableWith(20)
  expect(Math.abs(threshold - bestThreshold)).toBeLessThanOrEqual(0.05)
  for (const half of [fitted, checked]) {
    expect(half.questions).toBe(200)
    expect(half.answered).toBeGreaterThanOrEqual(0.95)
    expect(half.unanswered).toBeGreaterThanOrEqual(0.9)
  }
}, 60_000)
