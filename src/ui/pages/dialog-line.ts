/** A line of `dialog/<day>.jsonl` as a person reads it. Pure. */

export type DialogLine = { id: string; role: string; name?: string; text: string; at?: number; calls: string[] }

/** Undefined for a line that is no message: it is shown as it is. */
export function parseDialogLine(line: string): DialogLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined // a line cut by the reader's limit, or a foreign one
  }
  if (!isRecord(value) || !isRecord(value['message'])) return undefined
  const { message } = value
  const role = text(message['role'])
  if (role === '') return undefined
  const name = text(message['name'])
  const at = value['timestamp']
  return {
    id: text(value['id']),
    role,
    text: text(message['content']),
    calls: callsOf(message['toolCalls']),
    ...(name === '' ? {} : { name }),
    ...(typeof at === 'number' ? { at } : {}),
  }
}

function callsOf(calls: unknown): string[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap(call =>
    isRecord(call) && isRecord(call['function'])
      ? [`${text(call['function']['name'])} ${text(call['function']['arguments'])}`]
      : [],
  )
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
