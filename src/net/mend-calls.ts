/** Tool calls in pieces, put in order: every call gets one index, one id and one name, and pieces that belong together stay so. */

export type WireCall = { index: number; id?: string; type?: 'function'; function: { name?: string; arguments: string }; /** What the provider wants back with this call: Google's signature. */ extra_content?: unknown }

export type CallMender = {
  mend(piece: Record<string, unknown>): WireCall[]
  /** Calls whose name never came. */
  end(): WireCall[]
}

type Open = { index: number; wireIndex?: number; wireId?: string; name?: string; arguments: string; told: boolean }

/**
 * Some servers leave out the index, repeat or change the id, repeat the name, give all calls the index 0, send arguments as
 * an object, or send a whole call twice. A piece continues a call unless it names another tool, or names one while the call
 * before is complete.
 */
export function callMender(newId: () => string): CallMender {
  const calls: Open[] = []

  const find = (wireIndex: number | undefined, wireId: string | undefined): Open | undefined => {
    if (wireIndex !== undefined) return calls.findLast(call => call.wireIndex === wireIndex)
    if (wireId !== undefined) return calls.findLast(call => call.wireId === wireId)
    return calls.at(-1)
  }

  return {
    mend(piece) {
      const inner = typeof piece['function'] === 'object' && piece['function'] !== null ? piece['function'] as Record<string, unknown> : piece
      const wireIndex = Number.isInteger(piece['index']) ? piece['index'] as number : undefined
      const wireId = textOf(piece['id'])
      const name = textOf(inner['name'])
      const text = argumentsOf(inner['arguments'] ?? inner['input'] ?? inner['parameters'])
      const found = find(wireIndex, wireId)
      if (found && isRepeat(found, { wireId, name, text })) return []
      const call = found && continues(found, { wireId, name, text }) ? found : undefined
      if (call) {
        call.arguments += text
        call.name ??= name
        call.wireId ??= wireId
        if (call.told) return text === '' ? [] : [{ index: call.index, function: { arguments: text } }]
        return call.name === undefined ? [] : [tell(call, call.name)]
      }
      const opened: Open = {
        index: calls.length, arguments: text, told: false,
        ...(wireIndex === undefined ? {} : { wireIndex }), ...(wireId ? { wireId } : {}), ...(name ? { name } : {}),
      }
      calls.push(opened)
      return opened.name === undefined ? [] : [tell(opened, opened.name)]
    },
    end: () => calls.filter(call => !call.told).map(call => tell(call, call.name ?? 'unnamed_tool')),
  }

  function tell(call: Open, name: string): WireCall {
    call.told = true
    const taken = calls.some(other => other !== call && other.told && other.wireId === call.wireId)
    return { index: call.index, id: call.wireId && !taken ? call.wireId : newId(), type: 'function', function: { name, arguments: call.arguments } }
  }
}

type Piece = { wireId: string | undefined; name: string | undefined; text: string }

/** The whole call once more, as some servers send it at the end. */
function isRepeat(call: Open, { wireId, name, text }: Piece): boolean {
  return name === call.name && name !== undefined && wireId === call.wireId && wireId !== undefined && text === call.arguments && isComplete(text)
}

function continues(call: Open, { wireId, name, text }: Piece): boolean {
  if (name === undefined || call.name === undefined) return true
  if (name !== call.name) return false
  if (wireId !== undefined && wireId !== call.wireId && call.wireId !== undefined && call.arguments === '' && isComplete(text)) return false
  return !(isComplete(call.arguments) && text !== '')
}

function isComplete(text: string): boolean {
  if (!/[}\]]\s*$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined
}

function argumentsOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}
