/** The functions of other agents that come nearest to ours, on the same chat in the same run. */
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { SimpleChatModel } from '@langchain/core/language_models/chat_models'
import {
  buildSessionContext,
  estimateTokens,
  findCutPoint,
  serializeConversation,
  shouldCompact,
  type SessionEntry,
} from '@earendil-works/pi-coding-agent'
import { createSummarizationMiddleware, StateBackend } from 'deepagents'
import { countTokensApproximately, summarizationMiddleware, trimMessages } from 'langchain'
import type { FactEntry } from '../../src/core/log/entry.ts'
import { longChat } from '../chats/long-chat.ts'
import { timesOf } from '../shared/measuring.ts'

/** A model that answers at once: what it is asked, through `answer`. */
export class AtOnce extends SimpleChatModel {
  readonly #answer: (prompt: string) => string | Promise<string>

  constructor(answer: (prompt: string) => string | Promise<string>) {
    super({ maxRetries: 0 })
    this.#answer = answer
  }

  override _llmType(): string {
    return 'at once'
  }
  override async _call(messages: BaseMessage[]): Promise<string> {
    return this.#answer(
      messages
        .map(message => (typeof message.content === 'string' ? message.content : JSON.stringify(message.content)))
        .join('\n'),
    )
  }
}

export function langchainMessages(facts: readonly FactEntry[]): BaseMessage[] {
  return facts.map(fact => {
    if (fact.type === 'user') return new HumanMessage({ content: fact.text, id: fact.id })
    if (fact.type === 'result')
      return new ToolMessage({ content: fact.text, tool_call_id: fact.callId, name: fact.tool, id: fact.id })
    return new AIMessage({
      content: fact.text,
      id: fact.id,
      tool_calls: fact.calls.map(call => ({
        id: call.id,
        name: call.name,
        args: JSON.parse(call.arguments) as Record<string, unknown>,
        type: 'tool_call',
      })),
    })
  })
}

const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

export function piEntries(facts: readonly FactEntry[]): SessionEntry[] {
  return facts.map((fact): SessionEntry => {
    const common = {
      type: 'message' as const,
      id: fact.id,
      parentId: fact.parent,
      timestamp: new Date(fact.at).toISOString(),
    }
    if (fact.type === 'user') return { ...common, message: { role: 'user', content: fact.text, timestamp: fact.at } }
    if (fact.type === 'result')
      return {
        ...common,
        message: {
          role: 'toolResult',
          toolCallId: fact.callId,
          toolName: fact.tool,
          content: [{ type: 'text', text: fact.text }],
          isError: fact.isError,
          timestamp: fact.at,
        },
      }
    return {
      ...common,
      message: {
        role: 'assistant',
        api: 'bench',
        provider: 'bench',
        model: 'bench',
        usage: noUsage,
        stopReason: fact.calls.length > 0 ? 'toolUse' : 'stop',
        timestamp: fact.at,
        content: [
          { type: 'text', text: fact.text },
          ...fact.calls.map(call => ({
            type: 'toolCall' as const,
            id: call.id,
            name: call.name,
            arguments: JSON.parse(call.arguments) as Record<string, unknown>,
          })),
        ],
      },
    }
  })
}

type Before = { beforeModel: (state: unknown, runtime: unknown) => Promise<{ messages: BaseMessage[] } | undefined> }
type Wraps = {
  wrapModelCall: (request: unknown, handler: (request: { messages: BaseMessage[] }) => unknown) => Promise<unknown>
}

/** One call of LangChain's middleware: the messages that follow, or undefined where it leaves them. */
export async function langchainStep(
  options: Parameters<typeof summarizationMiddleware>[0],
  messages: BaseMessage[],
): Promise<BaseMessage[] | undefined> {
  const middleware = summarizationMiddleware(options) as unknown as Before
  // the first one says: remove all
  return (await middleware.beforeModel({ messages }, { context: {} }))?.messages.slice(1)
}

/** One call through deepagents' middleware: the messages that the model is sent, and what it keeps. */
export async function deepagentsStep(
  model: AtOnce,
  trigger: number /* tokens */,
  messages: BaseMessage[],
): Promise<BaseMessage[]> {
  const state = { messages, files: {} }
  const middleware = createSummarizationMiddleware({
    model,
    backend: () => new StateBackend({ state }),
    trigger: { type: 'tokens', value: trigger },
  } as never) as unknown as Wraps
  let sent: BaseMessage[] = []
  await middleware.wrapModelCall({ messages, state, model, tools: [] }, request => {
    sent = request.messages
    return new AIMessage('')
  })
  return sent
}

/** ms of processor time; each says which of our rows it is nearest to. */
export async function peerTimes(count: number): Promise<object> {
  const facts = longChat(count)
  const runs = count > 10_000 ? 10 : 30
  const few = count > 10_000 ? 2 : 10
  const messages = langchainMessages(facts)
  const entries = piEntries(facts)
  const piMessages = entries.flatMap(entry => (entry.type === 'message' ? [entry.message] : []))
  const model = new AtOnce(() => '## Goal\nGo on.')
  const never = Number.MAX_SAFE_INTEGER
  const same = () => messages
  return {
    'pi-coding-agent': {
      nothingChanges: await timesOf(runs, same, () =>
        shouldCompact(
          piMessages.reduce((sum, message) => sum + estimateTokens(message), 0),
          10_000_000,
          { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 },
        ),
      ),
      cut: await timesOf(runs, same, () => findCutPoint(entries, 0, entries.length, 20_000)),
      serialise: await timesOf(few, same, () =>
        serializeConversation(piMessages as Parameters<typeof serializeConversation>[0]),
      ),
      view: await timesOf(runs, same, () => buildSessionContext(entries)),
    },
    langchain: {
      nothingChanges: await timesOf(runs, same, () => langchainStep({ model, trigger: { tokens: never } }, messages)),
      // Two minutes each at 20 000.
      compacts: await timesOf(count > 10_000 ? 1 : few, same, () =>
        langchainStep({ model, trigger: { tokens: 1 } }, messages),
      ),
      // Quadratic: at 20 000 messages one run takes minutes.
      trimMessages:
        count > 10_000
          ? null
          : await timesOf(few, same, () =>
              trimMessages(messages, {
                maxTokens: 100_000,
                strategy: 'last',
                tokenCounter: list => countTokensApproximately(list),
              }),
            ),
    },
    deepagents: {
      nothingChanges: await timesOf(runs, same, () => deepagentsStep(model, never, messages)),
      compacts: await timesOf(few, same, () => deepagentsStep(model, 1, messages)),
    },
  }
}
