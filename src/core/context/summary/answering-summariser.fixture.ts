/** A chat that is to be summarised, and a summariser that answers from a script. */
import { expect } from 'vitest'
import type { FactEntry } from '../../log/entry.ts'
import type { StopReason } from '../../log/message.ts'
import { sectionNames } from './sections.ts'
import type { AskSummariser } from '../strategy.ts'
import { summaryAssistant, bytesCounter, summaryResult, summaryUser } from './summarize.fixture.ts'
import type { SummaryInput } from './summarize.ts'

export const count = bytesCounter.text
export const finished = (text: string, finish: StopReason = 'stop'): Awaited<ReturnType<AskSummariser>> => ({
  text,
  finish,
})

/** Answers one after the other, the last one again and again; what was asked is kept. */
export function answeringSummariser(...answers: (string | Error | Awaited<ReturnType<AskSummariser>>)[]): {
  ask: AskSummariser
  asked: { text: string; tokens: number; maxTokens: number }[]
} {
  const asked: { text: string; tokens: number; maxTokens: number }[] = []
  const ask: AskSummariser = (prompt, { maxTokens }) => {
    const text = [prompt.system, ...prompt.messages.map(message => message.content)].join('\n')
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? ''
    asked.push({ text, tokens: count(text), maxTokens })
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve(typeof answer === 'string' ? finished(answer) : answer)
  }
  return { ask, asked }
}

export const good = `## Goal
Ship release 2.3.1 of the shop.

## Constraints & Preferences
- never on Friday

## Progress
### Done
- [x] the tests pass
### In Progress
- [ ] the image is built
### Blocked
- (none)

## Key Decisions
- **node-9**: the disk of node-7 is broken

## Next Steps
1. Drain node-7

## Critical Context
- The ticket is OPS-4471.`

export const chat: FactEntry[] = [
  summaryUser('u1', 'Release shop 2.3.1, ticket OPS-4471. Never on Friday. The config is deploy/api.yaml.'),
  summaryAssistant('a1', 'I look.', [{ id: 'c1', name: 'read_file', arguments: '{"path":"deploy/api.yaml"}' }]),
  summaryResult('r1', 'c1', 'read_file', `spec: replicas 3\n${'filler line of the file\n'.repeat(400)}`),
  summaryAssistant(
    'a2',
    'Decided: node-9, because the disk of node-7 is broken. Next I need to drain node-7. The image is 412 MB.',
  ),
  summaryUser('u2', 'Good. See https://ops.example/runbook for the steps.'),
  summaryAssistant('a3', 'The runbook says to drain node-7 first. The tests pass.'),
]
export const input: SummaryInput = { facts: chat, replaces: 3_000, useModel: true }
export const headings = (text: string): void => {
  expect(sectionNames.map(name => `## ${name}`).filter(heading => !text.includes(`${heading}\n`))).toEqual([])
}
