/**
 * Shapes as the programs write them: each was read in a file of that program, or in the code that writes or reads it.
 */
import { describe, expect, it } from 'vitest'
import { jsonBeginning } from '../../text/json-beginning.ts'
import { chatFile, foreignApps, type ForeignApp } from './foreign-export.ts'
import { documentLine, sessionLine } from './jsonl.ts'

const json = (value: unknown): string => JSON.stringify(value)
const lines = (...values: unknown[]): string => values.map(json).join('\n')

const files: readonly (readonly [ForeignApp, string, string])[] = [
  [
    'chatgpt',
    'conversations.json',
    json([
      {
        title: 'Tomatoes',
        create_time: 1760000000.5,
        update_time: 1760000100.25,
        mapping: { r: { id: 'r', message: null, parent: null, children: ['u'] } },
        current_node: 'u',
      },
    ]),
  ],
  ['chatgpt', 'one without metadata', json([null, 3, { title: null, mapping: { r: { id: 'r', children: [] } } }])],
  ['chatgpt', 'shared_conversations.json', json([{ id: 's', conversation_id: 'c-3', title: 'Ok chat' }])],
  [
    'claude',
    'conversations.json',
    json([
      {
        uuid: 'k-1',
        name: 'Bread',
        summary: '',
        created_at: '2026-05-01T10:00:00Z',
        account: { uuid: 'a' },
        chat_messages: [{ uuid: 'm', text: 'x', sender: 'human' }],
      },
    ]),
  ],
  [
    'gemini',
    'MyActivity.json',
    json([
      {
        header: 'Gemini Apps',
        title: 'Prompted x',
        time: '2026-02-02T07:24:02.806Z',
        products: ['Gemini Apps'],
        safeHtmlItem: [{ html: '<p>y</p>' }],
      },
    ]),
  ],
  [
    'gemini',
    'MyActivity.json in another language',
    json([{ header: 'Gemini 应用', title: 'x', time: '2026-02-02T07:24:02.806Z', products: ['Gemini Apps'] }]),
  ],
  [
    'gemini',
    'MyActivity.html',
    '<html><head><style>.x{}</style></head><body><div class="outer-cell mdl-cell"><p class="mdl-typography--title">Gemini Apps<br></p></div></body></html>',
  ],
  [
    'ai-studio',
    'a prompt',
    json({
      runSettings: { temperature: 1, model: 'models/gemini-2.5-pro' },
      systemInstruction: {},
      chunkedPrompt: { chunks: [{ text: 'x', role: 'user' }] },
    }),
  ],
  [
    'grok',
    'prod-grok-backend.json',
    json({
      conversations: [
        { conversation: { id: 'c', title: 'x' }, responses: [{ response: { sender: 'human', message: 'y' } }] },
      ],
    }),
  ],
  [
    'deepseek',
    'conversations.json',
    json([
      {
        id: 'd',
        title: 'x',
        inserted_at: '2025-03-30T04:49:36.505000+08:00',
        updated_at: '',
        mapping: { root: { id: 'root', parent: null, children: ['1'], message: null } },
      },
    ]),
  ],
  [
    'open-webui',
    'chat-export.json',
    json([
      {
        id: 'o-1',
        user_id: 'u',
        title: 'Rain',
        chat: { id: '', title: 'Rain', models: ['m'], history: { currentId: 'b', messages: {} } },
      },
    ]),
  ],
  [
    'librechat',
    'flat',
    json({
      conversationId: 'l',
      endpoint: 'openAI',
      title: 'Paint',
      exportAt: '10:00:00 GMT+0000',
      branches: true,
      recursive: false,
      options: { model: 'm' },
      messages: [{ messageId: 'a', text: 'x' }],
    }),
  ],
  [
    'llama-cpp-ui',
    'of old',
    json([{ conv: { id: 'v', name: 'Stars' }, messages: [{ id: 'r', convId: 'v', role: 'system', content: '' }] }]),
  ],
  [
    'lm-studio',
    '1700000000000.conversation.json',
    json({
      name: 'x',
      createdAt: 1700000000000,
      lastUsedModel: { identifier: 'm' },
      messages: [
        {
          versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          currentlySelected: 0,
        },
      ],
    }),
  ],
  [
    'jan',
    'messages.jsonl',
    lines({
      id: '0',
      object: 'thread.message',
      created_at: 1698983503,
      thread_id: 'thread_1',
      role: 'user',
      content: [{ type: 'text', text: { value: 'Hi!?', annotations: [] } }],
    }),
  ],
  [
    'jan',
    'thread.json',
    json({ id: 'thread_1', object: 'thread', title: 'x', assistants: ['jan'], created: 1231231, metadata: {} }),
  ],
  [
    'sillytavern',
    'chat.jsonl',
    lines(
      { user_name: 'You', character_name: 'Mara', create_date: '2026-08-14@10h02m', chat_metadata: {} },
      { name: 'Mara', is_user: false, mes: 'Hello' },
    ),
  ],
  [
    'sillytavern',
    'newer header',
    lines(
      { chat_metadata: { integrity: 'abc' }, user_name: 'You', character_name: 'Iris' },
      { name: 'You', is_user: true, mes: 'x' },
    ),
  ],
  [
    'lobechat',
    'LobeChat-sessions.json',
    json({ exportType: 'sessions', state: { sessions: [], topics: [], messages: [] }, version: 3 }),
  ],
  ['nextchat', 'backup.json', json({ 'chat-next-web-store': { sessions: [] } })],
  [
    'cherry-studio',
    'data.json',
    json({ time: 1, version: 5, localStorage: { 'persist:cherry-studio': '{}' }, indexedDB: { topics: [] } }),
  ],
  [
    'typingmind',
    'typingmind-export.json',
    json({ data: { chats: [{ id: 'c', chatID: 'c', chatTitle: 'x', messages: [] }], folders: [] } }),
  ],
  [
    'claude-code',
    'a session',
    lines(
      {
        type: 'file-history-snapshot',
        messageId: 'u',
        snapshot: { messageId: 'u', trackedFileBackups: {} },
        isSnapshotUpdate: false,
      },
      {
        parentUuid: null,
        isSidechain: false,
        cwd: '/w',
        sessionId: 's',
        version: '2.1.39',
        type: 'user',
        message: { role: 'user', content: 'x' },
        uuid: 'u',
      },
    ),
  ],
  [
    'claude-code',
    'that begins with a summary',
    lines({ type: 'summary', summary: 'x', leafUuid: 'y' }, { type: 'summary', summary: 'z', leafUuid: 'y' }),
  ],
  [
    'codex',
    'rollout.jsonl',
    lines(
      { timestamp: '2026-05-01T10:00:01.000Z', type: 'session_meta', payload: { id: 'x', cwd: '/w' } },
      { timestamp: '', type: 'response_item', payload: { type: 'message', role: 'user' } },
    ),
  ],
  [
    'codex',
    'of 2025, without an envelope',
    lines(
      { id: 'x', timestamp: '2025-05-07T17:24:21.123Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] },
    ),
  ],
  [
    'gemini-cli',
    'session-2025.json',
    json({
      sessionId: 's',
      projectHash: '79b6',
      startTime: '2025-10-18T14:57:28.974Z',
      messages: [{ id: 'm', type: 'user', content: 'x' }],
    }),
  ],
  [
    'pi',
    'version 3',
    lines(
      { type: 'session', version: 3, id: 'p', timestamp: '2026-05-01T10:00:00.000Z', cwd: '/w' },
      { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: [] } },
    ),
  ],
  ['aider', '.aider.chat.history.md', '\n# aider chat started at 2025-06-19 14:32:16\n\n> Aider v0.84\n\n#### Hello\n'],
  [
    'sharegpt',
    'a list',
    json([
      {
        id: 'g',
        conversations: [
          { from: 'human', value: 'x' },
          { from: 'gpt', value: 'y' },
        ],
      },
    ]),
  ],
  [
    'sharegpt',
    'lines',
    lines({ conversations: [{ from: 'human', value: 'x' }] }, { conversations: [{ from: 'human', value: 'x' }] }),
  ],
  [
    'openai-messages',
    'one request',
    json({
      model: 'm',
      messages: [
        { role: 'developer', content: 'x' },
        { role: 'user', content: [] },
      ],
    }),
  ],
  [
    'openai-messages',
    'for fine-tuning',
    lines({ messages: [{ role: 'user', content: 'x' }] }, { messages: [{ role: 'user', content: 'y' }] }),
  ],
  [
    'openai-messages',
    'bare messages',
    lines({ role: 'user', content: 'How high is Everest?' }, { role: 'assistant', content: '8 849 m' }),
  ],
]

describe('the export of another program', () => {
  it.each(files)('is known for %s: %s', (app, _what, text) => {
    expect(chatFile(text)).toEqual({ of: app })
    expect(chatFile(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual({ of: app })
  })

  it('has a file for each name', () => {
    expect([...new Set(files.map(([app]) => app))].sort()).toEqual(Object.keys(foreignApps).sort())
  })

  it('is known however it is indented, and by its beginning alone', () => {
    for (const [app, what, text] of files.filter(([, , one]) => !one.includes('\n') && /^[[{]/.test(one))) {
      const wide = JSON.stringify(JSON.parse(text), null, 2)
      expect(chatFile(wide), what).toEqual({ of: app })
      const cut = `${wide.slice(0, wide.lastIndexOf('"', wide.length - 10))}`
      expect([{ of: app }, undefined], `${what}: ${cut}`).toContainEqual(chatFile(cut))
    }
    const long = json([
      { title: 'x'.repeat(1_000), mapping: { r: { id: 'r', message: { content: { parts: ['y'.repeat(600_000)] } } } } },
    ])
    expect(chatFile(long.slice(0, 512 * 1024))).toEqual({ of: 'chatgpt' })
  })
})

describe('what is no export of another program', () => {
  it.each([
    ['a package', json({ name: 'x', version: '1.0.0', dependencies: {} })],
    ['settings', json({ agents: { running: { max_input_length: 1 } } })],
    ['numbers', '[1, 2, 3]'],
    ['nothing', ''],
    ['a map', json({ type: 'FeatureCollection', features: [] })],
    ['a table of lines', lines({ a: 1 }, { a: 2 })],
    ['a log', lines({ level: 'info', msg: 'x', time: 1 }, { level: 'warn', msg: 'y', time: 2 })],
    ['Markdown', '# aider is a program\n'],
    ['a page', '<html><body>Gemini Apps</body></html>'],
    [
      'a search in Takeout',
      json([{ header: 'Search', title: 'Searched for gemini', time: 'x', products: ['Search'] }]),
    ],
    ['roles', json({ role: 'admin', content: 'x' })],
    ['no JSON', '{"title": oops'],
  ])('%s', (_name, text) => {
    expect(chatFile(text)).toBeUndefined()
  })

  it('is ours, whatever stands around the line that says so', () => {
    const header = { id: 's', name: 'x', createdAt: 1 }
    for (const text of [
      sessionLine(header),
      sessionLine(header, { canonical: true }),
      documentLine({ path: 'workspace/a', revision: 1, at: 1, text: 'x' }),
      `\n${sessionLine(header)}`,
      lines({ type: 'message', message: { role: 'user', content: 'x' } }),
      lines({ type: 'message', id: 'a', parent: null, seq: 0, timestamp: 1, message: { role: 'user', content: 'x' } }),
      lines({ harness: 'llama.app', type: 'session', id: 'v', name: '' }),
    ])
      expect(chatFile(text), text).toEqual({ of: 'haversack' })
  })
})

describe('the beginning of a JSON text', () => {
  it('is the whole where nothing is cut off', () => {
    for (const value of [null, true, [1, -2.5e3, 'a"\\\n\u2028'], { a: { b: [] } }, {}, [], [[[]]]])
      expect(jsonBeginning(`${JSON.stringify(value, null, 1)} `)).toEqual(value)
  })

  it('never throws, whatever is cut off or wrong in it, and takes no longer for being deep', () => {
    const text = JSON.stringify(files.map(([, , one]) => one))
    for (let to = 0; to < text.length; to += 7) expect(() => jsonBeginning(text.slice(0, to))).not.toThrow()
    for (const wrong of ['{]', '[}', '{"a" 1}', '["\\x"]', 'nul', '[tru e]', '{"a":}', '\u0000'])
      expect(() => chatFile(wrong)).not.toThrow()
    expect(jsonBeginning('['.repeat(500_000))).toBeUndefined()
    expect(jsonBeginning('{"__proto__":{"polluted":1}}')).toBeDefined()
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
