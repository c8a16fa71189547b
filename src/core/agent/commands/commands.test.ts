import { describe, expect, it } from 'vitest'
import { bench, say, type Bench } from '../agent.fixture.ts'
import { parseCommand } from './command.ts'
import { commands } from './index.ts'
import { commandList } from './list.ts'

async function noteOf(b: Bench, id: string, line: string): Promise<string> {
  const reply = await b.agent.command(id, line)
  expect(reply.error).toBeUndefined()
  const note = (await b.log(id)).at(-1)
  expect(note).toMatchObject({ type: 'note', code: 'command' })
  return note?.type === 'note' ? note.text : ''
}

async function talked(): Promise<Bench & { id: string }> {
  const b = bench(['One.', 'Two.', 'Three.'])
  const { id } = await b.agent.create('A chat')
  await say(b, id, 'First question')
  await say(b, id, 'Second question')
  return { ...b, id }
}

describe('the name of a command', () => {
  it('is letters and underscores up to a blank, a newline or the end, in any case; the rest is its text', () => {
    expect(parseCommand('/Compact keep\nall')).toEqual({ name: 'compact', text: 'keep\nall' })
    expect(parseCommand('/compact\nkeep')).toEqual({ name: 'compact', text: 'keep' })
    expect(parseCommand('/help')).toEqual({ name: 'help', text: '' })
    expect(parseCommand('/usr/bin')).toBeUndefined()
    expect(parseCommand('/ help')).toBeUndefined()
  })

  it('is in the list for every command of the table', () => {
    expect(commandList.flatMap(({ name, also }) => [name, ...also ?? []]).sort()).toEqual([...commands.keys()].sort())
  })
})

describe('commands', () => {
  it('that are unknown are errors with the nearest name, and leave no note', async () => {
    const b = await talked()
    const before = await b.log(b.id)
    expect(await b.agent.command(b.id, '/contxt')).toEqual({ error: { code: 'not_found', message: expect.stringContaining('/context') as string, sendAsText: '/contxt' } })
    expect(await b.agent.command(b.id, '/etc/passwd')).toMatchObject({ error: { sendAsText: '/etc/passwd' } })
    expect(await b.log(b.id)).toEqual(before)
  })

  it('are not sent to the model', async () => {
    const b = await talked()
    await b.agent.command(b.id, '/help')
    await say(b, b.id, 'Third')
    expect(JSON.stringify(b.model.requests.at(-1))).not.toContain('/compact')
  })

  it('/help lists them all, in the language that is set', async () => {
    const b = await talked()
    expect((await noteOf(b, b.id, '/help')).split('\n').filter(line => line.startsWith('- '))).toHaveLength(commandList.length)
    await b.agent.setLanguage('zh')
    expect(await noteOf(b, b.id, '/help')).toContain('列出所有命令')
  })

  it('/context says the numbers of the context pane', async () => {
    const b = await talked()
    const info = await b.agent.context(b.id)
    const note = (await noteOf(b, b.id, '/context')).replaceAll('\u202f', '')
    expect(note).toContain(`Tokens: ${info.total} of ${info.window}`)
    expect(note).toContain('Messages: 4 (you 2, assistant 2, tools 0) in 2 turns')
    expect(note).toContain('Largest:')
    const { system, tools, summary, compactable, reserved } = info.zones
    expect(system + tools + summary + compactable + reserved).toBe(info.total)
  })

  it('/context clear and /clear cut everything, say how much, survive a restart, and can be undone', async () => {
    const b = await talked()
    expect(await noteOf(b, b.id, '/context clear')).toContain('4 messages are no longer sent')
    const again = bench([], { store: b.store, prefix: 'n' })
    expect((await again.agent.view(b.id)).map(({ role }) => role)).toEqual(['system', 'tools'])
    expect(await noteOf(again, b.id, '/undo')).toContain('Undone: 1 change')
    expect(await again.agent.view(b.id)).toHaveLength(6)
    expect(await noteOf(again, b.id, '/redo')).toContain('Restored')
    expect((await again.agent.view(b.id)).map(({ role }) => role)).toEqual(['system', 'tools'])
    expect(await noteOf(again, b.id, '/clear')).toBe('There is nothing to clear: no message is in the window.')
  })

  it('/compact says that there is nothing, and what it did, with the instruction in the prompt', async () => {
    const long = 'We decided to use port 8443 for the proxy. '.repeat(60)
    const b = bench([long, 'Short.', '## Goal\nThe proxy\n## Key Decisions\nPort 8443'])
    const { id } = await b.agent.create('x')
    expect(await noteOf(b, id, '/compact')).toMatch(/^There is nothing to compact:/)
    await say(b, id, 'Tell me')
    await say(b, id, 'And now?')
    const note = await noteOf(b, id, '/compact keep the decisions')
    expect(note).toMatch(/^Compact complete\. Messages compacted: \d+/)
    expect((await b.log(id)).findLast(entry => entry.type === 'summary')).toMatchObject({ text: expect.stringContaining('Port 8443') as string })
    expect(b.model.requests.at(-1)?.messages.at(-1)?.content).toMatch(/keep the decisions$/)
    expect(await noteOf(b, id, '/summary')).toContain('The proxy')
    expect(await noteOf(b, id, '/compact_str')).toContain('The proxy')
  })

  it('/config lists, shows, sets, refuses, and knows what a strategy reads', async () => {
    const b = await talked()
    expect(await noteOf(b, b.id, '/config')).toContain('max_input_length = 131072 (default)')
    expect(await noteOf(b, b.id, '/config max_input_length 50000')).toContain('max_input_length: 131072 → 50000, for this chat')
    expect((await b.agent.context(b.id)).window).toBe(50_000)
    expect(await noteOf(b, b.id, '/config max_input_length')).toContain('set for this chat')
    expect(await noteOf(b, b.id, '/config compact_threshold_ratio 0.5')).toContain('qwenpaw')
    expect(await b.agent.command(b.id, '/config max_input_length many')).toMatchObject({ error: { code: 'bad_input' } })
    expect(await b.agent.command(b.id, '/config max_inptu_length')).toMatchObject({ error: { message: expect.stringContaining('max_input_length') as string } })
    expect(await b.agent.command(b.id, '/config reserve_threshold_ratio 0.3')).toEqual({})
    expect(await b.agent.command(b.id, '/config compact_threshold_ratio 0.2')).toMatchObject({ error: { code: 'bad_input' } })
    await b.agent.command(b.id, '/config max_input_length 60000 --all')
    expect((await b.agent.defaults()).config).toEqual({ max_input_length: 60_000 })
  })

  it('/config takes a pasted settings file of a seed', async () => {
    const b = await talked()
    const file = { agents: { running: { context_manager_backend: 'light', max_input_length: 40_000, light_context_config: { context_compact_config: { compact_threshold_ratio: 0.7 } }, llm_retry: true } } }
    const note = await noteOf(b, b.id, `/config ${JSON.stringify(file, null, 2)}`)
    expect(note).toContain('balanced → qwenpaw')
    expect(note).toContain('- max_input_length: 131072 → 40000')
    expect(note).toContain('agents.running.llm_retry')
    expect((await b.agent.context(b.id)).window).toBe(40_000)
    expect(await b.agent.command(b.id, '/config {"max')).toMatchObject({ error: { code: 'bad_json' } })
  })

  it('/config takes the published examples as they are', async () => {
    const light = `{
  "agents": {
    "running": {
      "max_input_length": 128000,
      "context_manager_backend": "light",
      "light_context_config": {
        "dialog_path": "dialog",
        "context_compact_config": { "enabled": true, "compact_threshold_ratio": 0.8, "reserve_threshold_ratio": 0.1 },
        "tool_result_pruning_config": { "enabled": true, "pruning_recent_n": 2, "pruning_old_msg_max_bytes": 3000, "pruning_recent_msg_max_bytes": 50000 }
      }
    }
  }
}`
    const reme = '{ "agents": { "running": { "max_input_length": 128000, "memory_compact_ratio": 0.7, "memory_reserve_ratio": 0.1, "enable_tool_result_compact": true, "tool_result_compact_keep_n": 3 } } }'
    for (const [file, strategy] of [[light, 'qwenpaw'], [reme, 'copaw']] as const) {
      const b = await talked()
      await b.agent.command(b.id, `/strategy ${strategy}`)
      const note = await noteOf(b, b.id, `/config ${file}`)
      expect(note).toContain('- max_input_length: 131072 → 128000')
      expect(note).not.toMatch(/Not taken|Not known/)
      expect((await b.agent.context(b.id)).threshold).toBe(strategy === 'qwenpaw' ? 102_400 : 89_600)
    }
  })

  it('/strategy and /model show and switch', async () => {
    const b = await talked()
    expect(await noteOf(b, b.id, '/strategy')).toContain('Strategy: balanced')
    expect(await noteOf(b, b.id, '/strategy QwenPaw')).toContain('balanced → qwenpaw')
    expect((await b.agent.open(b.id)).info.strategy).toBe('qwenpaw')
    expect(await b.agent.command(b.id, '/strategy best')).toMatchObject({ error: { code: 'not_found' } })
    expect(await noteOf(b, b.id, '/model')).toContain('scripted')
    expect(await b.agent.command(b.id, '/model gpt-9')).toMatchObject({ error: { code: 'not_found' } })
  })

  it('/history shows what would be sent, /search finds it, /memory keeps a line', async () => {
    const b = await talked()
    expect((await noteOf(b, b.id, '/history 2')).split('\n').slice(1)).toEqual([expect.stringContaining('3. user'), expect.stringContaining('4. assistant')])
    expect(await noteOf(b, b.id, '/search second')).toContain('Second question')
    expect(await noteOf(b, b.id, '/memory')).toContain('no memory of today')
    await noteOf(b, b.id, '/memory Ada likes tea')
    expect(await noteOf(b, b.id, '/memory')).toContain('Ada likes tea')
  })

  it('/new leaves a note, because the page begins the chat; /export says what to export, /stop ends what asks', async () => {
    const b = await talked()
    expect(await b.agent.command(b.id, '/new Another one')).toEqual({})
    expect(await b.agent.sessions()).toHaveLength(1)
    expect(await b.agent.command(b.id, '/export')).toEqual({ export: { kind: 'session', session: b.id } })
    expect(await b.agent.command(b.id, '/dump_history all')).toEqual({ export: { kind: 'all' } })
    expect(await b.agent.command(b.id, '/export day 2026-01-31')).toEqual({ export: { kind: 'day', day: '2026-01-31' } })
    expect(await b.agent.command(b.id, '/export day yesterday')).toMatchObject({ error: { code: 'bad_input' } })
    expect(await noteOf(b, b.id, '/stop')).toBe('Nothing is running.')
  })

  it('are typed: a message is sent as it is, whatever it begins with', async () => {
    const b = await talked()
    await say(b, b.id, '// a comment')
    expect(b.model.requests.at(-1)?.messages.at(-1)?.content).toBe('// a comment')
  })
})
