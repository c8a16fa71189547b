/** Events of Anthropic's Messages API as chunks of the OpenAI dialect, so that all behind it reads one. */

type Fields = Record<string, unknown>

/** Their names for why an answer ended. What is not here is passed on as it is. */
const reasons: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/**
 * Reads one event after the other: undefined for what is none of theirs, null for one that says nothing (a ping, a
 * border between blocks). Thinking is passed on as reasoning, and as details, because it must go back with its
 * signature.
 */
export function anthropicEvents(): (event: Fields) => Fields | null | undefined {
  let usage: Fields = {}
  return event => {
    switch (event['type']) {
      case 'message_start':
        usage = fieldsOf(fieldsOf(event['message'])['usage'])
        return null
      case 'content_block_start':
        return blockStart(fieldsOf(event['content_block']), event['index'])
      case 'content_block_delta':
        return blockDelta(fieldsOf(event['delta']), event['index'])
      case 'message_delta': {
        usage = { ...usage, ...fieldsOf(event['usage']) }
        const reason = fieldsOf(event['delta'])['stop_reason']
        return {
          choices: [
            { index: 0, delta: {}, finish_reason: typeof reason === 'string' ? (reasons[reason] ?? reason) : null },
          ],
          usage: usageOf(usage),
        }
      }
      case 'content_block_stop':
      case 'message_stop':
      case 'ping':
        return null
      default:
        return undefined
    }
  }
}

function blockStart(block: Fields, index: unknown): Fields | null {
  switch (block['type']) {
    case 'tool_use':
      return delta({
        tool_calls: [{ index, id: block['id'], type: 'function', function: { name: block['name'], arguments: '' } }],
      })
    // Also where no text follows: the field has to be there when the block goes back.
    case 'thinking':
      return delta({
        reasoning_details: [
          {
            type: 'thinking',
            index,
            thinking: textOf(block['thinking']),
            ...(textOf(block['signature']) === '' ? {} : { signature: block['signature'] }),
          },
        ],
      })
    case 'redacted_thinking':
      return delta({ reasoning_details: [{ type: 'redacted_thinking', index, data: block['data'] }] })
    case 'text':
      return typeof block['text'] === 'string' && block['text'] !== '' ? delta({ content: block['text'] }) : null
    default:
      return null
  }
}

function blockDelta(piece: Fields, index: unknown): Fields | null {
  switch (piece['type']) {
    case 'text_delta':
      return delta({ content: piece['text'] })
    case 'input_json_delta':
      return delta({ tool_calls: [{ index, function: { arguments: piece['partial_json'] } }] })
    case 'thinking_delta':
      return delta({
        reasoning_content: piece['thinking'],
        reasoning_details: [{ type: 'thinking', index, thinking: piece['thinking'] }],
      })
    case 'signature_delta':
      return delta({ reasoning_details: [{ type: 'thinking', index, signature: piece['signature'] }] })
    case 'citations_delta':
      return delta({ annotations: [piece['citation']] })
    default:
      return null
  }
}

function delta(fields: Fields): Fields {
  return { choices: [{ index: 0, delta: fields, finish_reason: null }] }
}

/** Anthropic counts input, cache reads and cache writes separately. */
function usageOf(usage: Fields): Fields {
  const [input, read, written, output] = [
    'input_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
    'output_tokens',
  ].map(name => (typeof usage[name] === 'number' ? usage[name] : 0))
  return {
    prompt_tokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    completion_tokens: output ?? 0,
    ...(read ? { prompt_tokens_details: { cached_tokens: read } } : {}),
    ...(written ? { cache_creation_input_tokens: written } : {}),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
