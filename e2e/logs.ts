/** Conversations as JSONL, made by rule: for imports, long chats and measurements. */

const topics = [
  'the login system',
  'a trip to Kyoto',
  'the tax letter',
  'the garden in March',
  'the slow build',
  '会议记录',
]
const sentences = [
  'The refresh endpoint answers 401 after a restart, and the log shows a new signing key.',
  'We decided to keep the tokens short-lived and to rotate them on each use.',
  'The measurement took 3.4 s on the second run, so the cache is not the reason.',
  'Please look at `src/auth.ts` first; the key is made on line 18.',
  '下一步是把会议记录整理成待办事项，然后发给所有人。',
  'It must keep working without a network, and nothing may be lost.',
]

/**
 * A log of `messages` facts (user, assistant, now and then a tool call with its result), about `chars` characters each.
 */
export function madeLog({
  messages,
  chars = 800,
  id = 'made',
  name = 'A long talk',
  start = Date.UTC(2026, 2, 2, 9),
}: {
  messages: number
  chars?: number
  id?: string
  name?: string
  start?: number
}): string[] {
  const lines = [JSON.stringify({ type: 'session', harness: 'haversack', id, name, createdAt: start, format: 1 })]
  let parent: string | null = null
  const add = (seq: number, message: object) => {
    const own = `${id}-${seq}`
    lines.push(JSON.stringify({ type: 'message', id: own, parent, seq, timestamp: start + seq * 60_000, message }))
    parent = own
  }
  for (let seq = 0; seq < messages; seq += 1) {
    const text = textOf(seq, chars)
    const place = seq % 10
    if (place === 3) {
      add(seq, {
        role: 'assistant',
        content: '',
        model: 'made',
        stop: 'calls',
        toolCalls: [
          { id: `call_${seq}`, function: { name: 'read_file', arguments: `{"path":"workspace/note-${seq}.md"}` } },
        ],
      })
    } else if (place === 4) add(seq, { role: 'tool', content: text, toolCallId: `call_${seq - 1}`, name: 'read_file' })
    else if (place === 0 || place === 2 || place === 6 || place === 8) add(seq, { role: 'user', content: text })
    else add(seq, { role: 'assistant', content: text, model: 'made', stop: 'stop' })
  }
  return lines
}

function textOf(seq: number, chars: number): string {
  let text = `Message ${seq} about ${topics[seq % topics.length]}.`
  for (let index = seq; text.length < chars; index += 1) text += ` ${sentences[index % sentences.length]}`
  return text.slice(0, chars)
}
