/** What other agents keep in view of the same chat, with the same summarisers, each with its own defaults. */
import { registerFauxProvider, fauxAssistantMessage } from '@earendil-works/pi-ai'
import {
  buildSessionContext,
  compact,
  DEFAULT_COMPACTION_SETTINGS,
  type SessionEntry,
} from '@earendil-works/pi-coding-agent'
import type { BaseMessage } from '@langchain/core/messages'
import { summaryCap } from '../../src/core/context/summary/summarize.ts'
import type { FactEntry } from '../../src/core/log/entry.ts'
import { AtOnce, deepagentsStep, langchainMessages, langchainStep, piEntries } from './latency-peers.ts'
import type { PeerRow } from './peers.ts'
import type { Planted } from '../chats/retention-facts.ts'
import { summarisers, type Mode } from '../shared/retention-modes.ts'

/** `whole echo`: the summariser gives back all that it is shown, however long: the ceiling. */
const modes = ['whole echo', 'echo', '30 % lossy', 'throws'] as const

type Asked = { answer: (prompt: string) => Promise<string>; largest: () => number }
type Peer = (facts: readonly FactEntry[], rounds: number, asked: Asked) => Promise<string /* the request */>

const peers: Record<string, Peer> = { langchain: byLangchain, 'pi-coding-agent': byPi, deepagents: byDeepagents }

export async function peersKeep(
  facts: readonly FactEntry[],
  planted: readonly Planted[],
  allRounds: readonly number[],
  window: number,
): Promise<PeerRow[]> {
  const rows: PeerRow[] = []
  for (const [peer, run] of Object.entries(peers)) {
    for (const mode of modes) {
      for (const rounds of allRounds) {
        const asked = summariserOf(mode, window)
        let request = ''
        let failed: string | undefined
        try {
          request = await run(facts, rounds, asked)
        } catch (thrown) {
          failed = thrown instanceof Error ? thrown.message.slice(0, 120) : String(thrown)
        }
        rows.push({
          peer,
          mode,
          rounds,
          inView: planted.filter(({ answer }) => request.includes(answer)).length,
          largestCall: asked.largest(),
          ...(failed !== undefined && { failed }),
        })
      }
      console.error(
        `${peer} / ${mode}: in view ${rows
          .slice(-allRounds.length)
          .map(row => row.failed ?? row.inView)
          .join(', ')}`,
      )
    }
  }
  return rows
}

function summariserOf(mode: Mode | 'whole echo', window: number): Asked {
  let largest = 0
  let calls = 0
  return {
    largest: () => largest,
    answer: async prompt => {
      largest = Math.max(largest, prompt.length)
      if (mode === 'whole echo') return prompt
      return (
        await summarisers[mode](`<conversation>\n${prompt}\n</conversation>`, 16_384, summaryCap(window), ++calls)
      ).text
    },
  }
}

/** The facts up to the end of each round. */
function* parts(facts: readonly FactEntry[], rounds: number): Generator<readonly FactEntry[]> {
  const turns = facts.length / 4
  let from = 0
  for (let round = 1; round <= rounds; round++) {
    const to = Math.floor((turns * round) / rounds) * 4
    yield facts.slice(from, to)
    from = to
  }
}

async function byLangchain(facts: readonly FactEntry[], rounds: number, { answer }: Asked): Promise<string> {
  const model = new AtOnce(answer)
  let messages: BaseMessage[] = []
  for (const part of parts(facts, rounds)) {
    messages = [...messages, ...langchainMessages(part)]
    messages = (await langchainStep({ model, trigger: { tokens: 1 } }, messages)) ?? messages
  }
  return textOf(messages)
}

/**
 * Its state keeps all messages; what is sent is the summary and what came after it, so each round begins with what was
 * sent.
 */
async function byDeepagents(facts: readonly FactEntry[], rounds: number, { answer }: Asked): Promise<string> {
  const model = new AtOnce(answer)
  let messages: BaseMessage[] = []
  for (const part of parts(facts, rounds))
    messages = await deepagentsStep(model, 1, [...messages, ...langchainMessages(part)])
  return textOf(messages)
}

async function byPi(facts: readonly FactEntry[], rounds: number, { answer }: Asked): Promise<string> {
  const { prepareCompaction } = (await import(
    new URL('../node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/compaction.js', import.meta.url).href
  )) as {
    prepareCompaction: (
      entries: readonly SessionEntry[],
      settings: typeof DEFAULT_COMPACTION_SETTINGS,
    ) => Parameters<typeof compact>[0] | undefined
  }
  const provider = registerFauxProvider({ models: [{ id: 'bench', contextWindow: 200_000, maxTokens: 64_000 }] })
  try {
    const entries: SessionEntry[] = []
    for (const part of parts(facts, rounds)) {
      entries.push(...piEntries(part))
      provider.appendResponses(
        [0, 1].map(() => async context => {
          const prompt = context.messages
            .map(message =>
              typeof message.content === 'string'
                ? message.content
                : message.content.map(block => (block.type === 'text' ? block.text : '')).join(''),
            )
            .join('\n')
          return fauxAssistantMessage(await answer(prompt))
        }),
      )
      const preparation = prepareCompaction(entries, DEFAULT_COMPACTION_SETTINGS)
      if (preparation === undefined) continue
      const { summary, firstKeptEntryId, tokensBefore } = await compact(preparation, provider.getModel(), 'none')
      entries.push({
        type: 'compaction',
        id: `compaction-${entries.length}`,
        parentId: entries.at(-1)?.id ?? null,
        timestamp: new Date(0).toISOString(),
        summary,
        firstKeptEntryId,
        tokensBefore,
      })
    }
    return JSON.stringify(buildSessionContext(entries).messages)
  } finally {
    provider.unregister()
  }
}

function textOf(messages: readonly BaseMessage[]): string {
  return messages
    .map(message => JSON.stringify([message.content, (message as { tool_calls?: unknown }).tool_calls]))
    .join('\n')
}
