/** Law: what is shared is what the chat shows, and nothing else of it; imported, it shows the same. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { shortArguments } from '../../../ui/transcript/short-arguments.ts'
import { transcript } from '../../../ui/transcript/transcript.ts'
import type { TranscriptItem } from '../../../ui/transcript/transcript-items.ts'
import type { Entry, Id } from '../../log/entry.ts'
import { parseLine } from '../../log/file-format/jsonl.ts'
import { runs } from '../../text/laws.fixture.ts'
import { secretKinds } from '../../text/redaction/secret-kinds.ts'
import { agentOver, anyChats, storeOf } from '../transfer/any-chats.fixture.ts'
import { importLinesInto } from '../transfer/transfer.fixture.ts'
import type { ShareChoice } from '../api/share-api.ts'
import { shared } from './share.fixture.ts'

const choice: fc.Arbitrary<ShareChoice> = fc.record({
  tools: fc.constantFrom('none' as const, 'names' as const, 'results' as const),
  attachedTexts: fc.boolean(),
})

/** What a person reads of a chat, under this choice. */
function read(entries: readonly Entry[], leaf: Id | null, { tools, attachedTexts }: ShareChoice): unknown[] {
  return transcript(entries, leaf).flatMap((item: TranscriptItem): unknown[] => {
    if (item.gone !== undefined) return []
    switch (item.type) {
      case 'user':
        return [['you', item.text, item.chips.map(({ name, text }) => [name, attachedTexts ? text : undefined])]]
      case 'assistant':
        return item.text.trim() === '' ? [] : [['answer', item.text, item.model]]
      case 'tool': {
        const { call, result } = item
        if (tools === 'none') return []
        if (tools === 'names') return [['call', call.name, shortArguments(call.arguments)]]
        return [['call', call.name, call.arguments, result?.gone ? undefined : result?.text]]
      }
      case 'orphan':
        return tools === 'results' && !item.result.gone ? [['result', item.result.text]] : []
      default:
        return []
    }
  })
}

/** Blanks without width aside: a line is cut by what stands in it before its blanks are made one. */
const plain = anyChats.map(chats =>
  chats.map(chat => ({
    ...chat,
    entries: chat.entries.map(entry =>
      entry.type === 'assistant'
        ? {
            ...entry,
            calls: entry.calls.map(call => ({ ...call, arguments: call.arguments.replaceAll('\ufeff', '') })),
          }
        : entry,
    ),
  })),
)

const entriesOf = async (store: MemoryStore, id: Id): Promise<Entry[]> => (await store.read(id)).map(row => row.entry)

it('whatever the chat holds', async () => {
  await fc.assert(
    fc.asyncProperty(plain, choice, async (chats, how) => {
      const store = await storeOf(chats)
      for (const { id, entries, leaf } of chats) {
        const { lines } = await shared(agentOver(store, 'out'), id, how, { ids: [], kinds: [...secretKinds] })
        const parsed = lines.map(line => parseLine(line, { ours: true }))
        expect(parsed.map(({ kind }) => kind)).toEqual(['session', ...lines.slice(1).map(() => 'entry')])
        for (const line of parsed.slice(1))
          if (line.kind === 'entry') {
            expect(['user', 'assistant', 'result']).toContain(line.entry.type)
            expect(line).not.toHaveProperty('gone')
            expect(Object.keys(line.entry)).not.toEqual(
              expect.arrayContaining(['reasoning', 'details', 'usage', 'rest']),
            )
          }
        expect(lines.join('\n')).not.toMatch(/reasoning|secret-[AB]|"blob"|"usage"|"local"/)
        const back = new MemoryStore()
        const report = await importLinesInto(agentOver(back, 'in'), lines)
        expect(report.problems.filter(({ reason }) => !/no result|no call|older than/.test(reason))).toEqual([])
        const [chat] = await back.sessions()
        const there = await entriesOf(back, chat!.id)
        expect(read(there, chat!.leaf, how)).toEqual(read(entries, leaf, how))
        // what was not shown is not there either
        expect(there.length).toBe(lines.length - 1)
      }
    }),
    runs(60),
  )
})
