/** The long talk that the browser is measured with, made by rule: prose, lists, code, tool calls, two scripts. */

const subjects = [
  'the refresh endpoint',
  'the import of old letters',
  'the tax form',
  'the slow build',
  'the garden in March',
  '会议记录',
]
const remarks = [
  'The second run took 3.4 s, so the cache is not the reason.',
  'We keep the tokens short-lived and rotate them on **each** use.',
  'Please look at `src/auth.ts` first; the key is made on line 18.',
  '下一步是把会议记录整理成待办事项，然后发给所有人。',
  'It must keep working without a network, and _nothing_ may be lost.',
  'See [the notes](https://example.org/notes) for what was tried before.',
]

/**
 * Lines of a chat of `facts` facts of about `chars` characters each. In ten: four questions, four answers, a call and
 * its result.
 */
export function* longTalk({
  id,
  name,
  facts,
  chars,
  start = Date.UTC(2026, 0, 5, 8),
}: {
  id: string
  name: string
  facts: number
  chars: number
  start?: number
}): Generator<string> {
  yield JSON.stringify({ type: 'session', harness: 'haversack', id, name, createdAt: start, format: 1 })
  for (let seq = 0; seq < facts; seq++) {
    yield JSON.stringify({
      type: 'message',
      id: `${id}-${seq}`,
      parent: seq === 0 ? null : `${id}-${seq - 1}`,
      seq,
      timestamp: start + seq * 60_000,
      message: messageOf(seq, chars),
    })
  }
}

function messageOf(seq: number, chars: number): object {
  switch (seq % 10) {
    case 3:
      return {
        role: 'assistant',
        content: '',
        model: 'made',
        stop: 'calls',
        toolCalls: [
          { id: `call_${seq}`, function: { name: 'read_file', arguments: `{"path":"workspace/note-${seq}.md"}` } },
        ],
      }
    case 4:
      return { role: 'tool', content: proseOf(seq, chars), toolCallId: `call_${seq - 1}`, name: 'read_file' }
    case 0:
    case 2:
    case 6:
    case 8:
      return { role: 'user', content: proseOf(seq, chars) }
    default:
      return { role: 'assistant', content: answerOf(seq, chars), model: 'made', stop: 'stop' }
  }
}

function proseOf(seq: number, chars: number): string {
  let text = `Entry ${seq} is about ${subjects[seq % subjects.length]}.`
  for (let index = seq; text.length < chars; index++) text += ` ${remarks[index % remarks.length]}`
  return text.slice(0, chars)
}

/** Markdown of each kind that a model writes, filled up with prose. */
function answerOf(seq: number, chars: number): string {
  const parts = [`Entry ${seq} is about ${subjects[seq % subjects.length]}.`, '', `### What was found`, '']
  for (let index = 0; index < 4; index++) parts.push(`${index + 1}. ${remarks[(seq + index) % remarks.length]}`)
  parts.push(
    '',
    '```ts',
    `export function step${seq}(log: readonly Entry[]): Edit[] {`,
    "  return log.filter(entry => entry.type === 'result').map(shorten)",
    '}',
    '```',
    '',
  )
  const text = parts.join('\n')
  return text + proseOf(seq + 1, Math.max(0, chars - text.length))
}
