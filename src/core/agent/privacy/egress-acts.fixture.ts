/** What can happen in the life of a few chats, drawn at random, and the tokens by which its texts are known again. */
import fc from 'fast-check'

/** Ids and secrets, and the days on which chats live: nothing else looks like them. */
const tokenIn = /zq[0-9a-z]{5}|20[3-9]\d-\d\d-\d\d/g
export const tokensOf = (text: string): Set<string> => new Set(text.match(tokenIn))
/** In every text, so that any search finds all of them. */
export const common = 'harbour'
export const modelNames = ['here', 'east', 'west'] as const

/**
 * A tool call of a plan: chats and files by number, so that it can be planned before they have names. `seen` in a text
 * stands for all that the model has seen.
 */
export type PlannedCall = {
  name: string
  args: Record<string, string>
  path?: { of: 'chat' | 'file'; n: number; form: string }
}
export type EgressAct =
  | {
      do: 'say' | 'resume' | 'regenerate' | 'compact' | 'open' | 'remove'
      chat: number
      plan: PlannedCall[]
      answers: number[]
      model?: number
    }
  | { do: 'model' | 'summariser'; chat: number; model: number }
  | { do: 'defaults'; model: number; summariser: number; embeddings: number }
  | { do: 'write file' | 'write memory'; file: number }
  | { do: 'note' | 'rename' | 'new chat' | 'preview'; chat: number }
  | { do: 'dream'; chat: number; accepts: boolean }
  | { do: 'revoke'; chat: number; grant: number }
  | { do: 'import'; chat: number; old: boolean; mark: string; local: boolean; file: number }
  | { do: 'embed' | 'reload' }

const nat = (most: number) => fc.nat({ max: most - 1 })
const forms = [
  'dialog/DAY.jsonl',
  'dialog/ID/DAY.jsonl',
  'memory/DAY.md',
  'user_text/ENTRY.txt',
  'answer/ENTRY.txt',
  'call/ENTRY.json',
  'tool_result/ENTRY.txt',
  'MEMORY.md',
  'workspace/none.md',
]
const place = fc.oneof(
  fc.record({ of: fc.constant('file' as const), n: nat(4), form: fc.constant('PATH') }),
  fc.record({ of: fc.constant('chat' as const), n: nat(6), form: fc.constantFrom(...forms) }),
)
const call: fc.Arbitrary<PlannedCall> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('everything', 'this chat', 'messages', 'results', 'memory', 'files')
      .map(where => ({ name: 'memory_search', args: { query: `${common} seen`, where } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('read_file', 'memory_get'), place)
      .map(([name, path]) => ({ name, args: {}, path })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('', 'workspace/', 'dialog/', 'memory/')
      .map(path => ({ name: 'search_files', args: { pattern: common, path } })),
  },
  { weight: 1, arbitrary: place.map(path => ({ name: 'search_files', args: { pattern: '.' }, path })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('', 'workspace/', 'dialog/', 'memory/', 'M')
      .map(prefix => ({ name: 'list_files', args: { prefix } })),
  },
  {
    weight: 3,
    arbitrary: nat(4).map(n => ({
      name: 'write_file',
      args: { content: `${common} seen` },
      path: { of: 'file' as const, n, form: 'PATH' },
    })),
  },
  {
    weight: 1,
    arbitrary: nat(4).map(n => ({
      name: 'edit_file',
      args: { old_text: common, new_text: `${common} seen` },
      path: { of: 'file' as const, n, form: 'PATH' },
    })),
  },
  // Refused before it is asked, with the names of files that are there.
  {
    weight: 1,
    arbitrary: nat(6).map(n => ({
      name: 'edit_file',
      args: { old_text: common, new_text: common },
      path: { of: 'chat' as const, n, form: 'workspace/none.md' },
    })),
  },
)
const chat = nat(6)
const turn = { chat, plan: fc.array(call, { maxLength: 3 }), answers: fc.array(nat(4), { minLength: 1, maxLength: 3 }) }
export const egressAct: fc.Arbitrary<EgressAct> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      { do: fc.constant('say' as const), ...turn, model: nat(3) },
      { requiredKeys: ['do', 'chat', 'plan', 'answers'] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'resume' as const,
        'regenerate' as const,
        'compact' as const,
        'compact' as const,
        'open' as const,
        'remove' as const,
      ),
      ...turn,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('model' as const), chat, model: nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('summariser' as const), chat, model: nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('defaults' as const),
      model: nat(3),
      summariser: nat(4),
      embeddings: nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('write file' as const, 'write memory' as const), file: nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('note' as const, 'rename' as const, 'new chat' as const, 'preview' as const),
      chat,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('dream' as const), chat, accepts: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), chat, grant: nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      chat,
      old: fc.boolean(),
      mark: fc.constantFrom('asks', 'stays', 'none', 'maybe'),
      local: fc.boolean(),
      file: nat(4),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('embed' as const, 'embed' as const, 'reload' as const) }) },
)
