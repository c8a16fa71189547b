/** A request for engines that know only system, user and assistant, in strict turns: calls and results become text. */
import type { Message, ModelRequest } from '../../../core/log/message.ts'

export type PlainMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** The system prompt first, then user and assistant by turns, the user's last. Nothing is left out. */
export function plainMessages({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>): PlainMessage[] {
  const turns: PlainMessage[] = []
  const add = (role: 'user' | 'assistant', content: string): void => {
    const last = turns.at(-1)
    if (last?.role === role) last.content += `\n\n${content}`
    else turns.push({ role, content })
  }
  for (const message of messages) add(message.role === 'assistant' ? 'assistant' : 'user', textOf(message))
  // Templates want a question first and last; an empty one is refused.
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: '…' })
  if (turns.at(-1)?.role !== 'user') turns.push({ role: 'user', content: '…' })
  return system.trim() === '' ? turns : [{ role: 'system', content: system }, ...turns]
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.content
    case 'assistant':
      return [message.content, ...(message.toolCalls ?? []).map(call => `[${call.name} ${call.arguments}]`)]
        .filter(text => text !== '')
        .join('\n')
    case 'tool':
      return `[${message.isError ? 'Error' : 'Result'} of ${message.name}]\n${message.content}`
    default:
      return message satisfies never
  }
}
