/**
 * Files of other programs, in the shapes in which they write them: each was read in a file of that program, or in the
 * code that writes or reads it.
 */
import type { ForeignApp } from './foreign-export.ts'

export const json = (value: unknown): string => JSON.stringify(value)
export const lines = (...values: unknown[]): string => values.map(json).join('\n')

export const files: readonly (readonly [ForeignApp, string, string])[] = [
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
    'of today',
    lines(
      { harness: 'llama.app', type: 'session', id: 'v', name: 'Stars', lastModified: 1, currNode: 'a' },
      { type: 'message', message: { id: 'a', convId: 'v', type: 'text', role: 'user', content: 'x', parent: null } },
    ),
  ],
  [
    'llama-cpp-ui',
    'behind a line that belongs to no chat',
    lines(
      { type: 'message', message: { id: 'z', convId: 'v', type: 'text', role: 'user', content: 'x', parent: null } },
      { harness: 'llama.app', type: 'session', id: 'v', name: '' },
    ),
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
