import { describe, expect, it } from 'vitest'
import { differencesOf } from '../../context/strategies/differences.ts'
import { testAgent, sendAndSettle } from '../agent.fixture.ts'
import { parseCommand } from './command.ts'
import { noteOf, chatWithTwoTurns } from './commands.fixture.ts'
import { commandList, namesOf } from './list.ts'

describe('the name of a command', () => {
  it('is letters and underscores up to a blank, a newline or the end, in any case; the rest is its text', () => {
    expect(parseCommand('/Compact keep\nall')).toEqual({ name: 'compact', text: 'keep\nall' })
    expect(parseCommand('/compact\nkeep')).toEqual({ name: 'compact', text: 'keep' })
    expect(parseCommand('/help')).toEqual({ name: 'help', text: '' })
    expect(parseCommand('/usr/bin')).toBeUndefined()
    expect(parseCommand('/ help')).toBeUndefined()
    expect(parseCommand('/搜索 船')).toEqual({ name: '搜索', text: '船' })
    expect(parseCommand('/搜索什么，为什么')).toBeUndefined()
  })

  it('goes by names that no other command has', () => {
    const names = commandList.flatMap(namesOf)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(parseCommand(`/${name} x`)).toEqual({ name, text: 'x' })
  })
})

describe('commands', () => {
  it('that are unknown are errors with the nearest name, and leave no note', async () => {
    const b = await chatWithTwoTurns()
    const before = await b.log(b.id)
    expect(await b.agent.command(b.id, '/contxt')).toEqual({
      error: { code: 'not_found', message: expect.stringContaining('/context') as string, sendAsText: '/contxt' },
    })
    expect(await b.agent.command(b.id, '/etc/passwd')).toMatchObject({ error: { sendAsText: '/etc/passwd' } })
    expect(await b.log(b.id)).toEqual(before)
  })

  it('are not sent to the model', async () => {
    const b = await chatWithTwoTurns()
    await b.agent.command(b.id, '/help')
    await sendAndSettle(b, b.id, 'Third')
    expect(JSON.stringify(b.model.requests.at(-1))).not.toContain('/compact')
  })

  it('have Chinese names, which /help gives on a Chinese screen', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/清空')).toBe(await noteOf(await chatWithTwoTurns(), b.id, '/clear'))
    await b.agent.setLanguage('zh')
    expect(await noteOf(b, b.id, '/帮助')).toContain('- /新对话, /new [title]')
  })

  it('/help lists them all, in the language that is set', async () => {
    const b = await chatWithTwoTurns()
    expect((await noteOf(b, b.id, '/help')).split('\n').filter(line => line.startsWith('- '))).toHaveLength(
      commandList.length,
    )
    await b.agent.setLanguage('zh')
    expect(await noteOf(b, b.id, '/help')).toContain('列出所有命令')
  })

  it('/context says the numbers of the context pane', async () => {
    const b = await chatWithTwoTurns()
    const info = await b.agent.context(b.id)
    const note = (await noteOf(b, b.id, '/context')).replaceAll(/(?<=\d),(?=\d{3})/g, '')
    expect(note).toContain(`Tokens: ${info.total} of ${info.window}`)
    expect(note).toContain('Messages: 4 (you 2, assistant 2, tools 0) in 2 turns')
    expect(note).toContain('Largest:')
    const { system, tools, summary, compactable, reserved } = info.zones
    expect(system + tools + summary + compactable + reserved).toBe(info.total)
  })

  it('/context clear and /clear cut everything, say how much, survive a restart, and can be undone', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/context clear')).toContain('4 messages are no longer sent')
    const again = testAgent([], { store: b.store, prefix: 'n' })
    expect((await again.agent.view(b.id)).map(({ role }) => role)).toEqual(['system', 'tools'])
    expect(await noteOf(again, b.id, '/undo')).toBe('Undone: 4 messages are in the window again.')
    expect(await again.agent.view(b.id)).toHaveLength(6)
    expect(await noteOf(again, b.id, '/redo')).toBe('Restored: 4 messages have left the window again.')
    expect((await again.agent.view(b.id)).map(({ role }) => role)).toEqual(['system', 'tools'])
    expect(await noteOf(again, b.id, '/clear')).toBe('There is nothing to clear: no message is in the window.')
  })

  it('/search finds what /clear took out of the window, in the archive and for the model, and says how much more it found than it shows', async () => {
    const b = testAgent(request =>
      request.messages.at(-1)?.content.startsWith('Find')
        ? { calls: [{ name: 'memory_search', arguments: { query: 'marmalade', where: 'this chat' } }] }
        : 'Noted.',
    )
    const { id } = await b.agent.create('A chat')
    for (let n = 1; n <= 13; n++) await sendAndSettle(b, id, `Jar ${n} holds marmalade of oranges`)
    await b.agent.command(id, '/clear')
    const note = await noteOf(b, id, '/search marmalade')
    const hits = (await b.agent.search('marmalade')).length
    expect(hits).toBeGreaterThan(10)
    expect(note).toMatch(/^1\. dialog\/\d{4}-\d\d-\d\d\.jsonl:\d+/)
    expect(note.split('\n\n').at(-1)).toBe(
      `${hits - 10} more ${hits === 11 ? 'place is' : 'places are'} not shown here; the search of the library shows them.`,
    )
    await sendAndSettle(b, id, 'Find it')
    expect((await b.log(id)).findLast(entry => entry.type === 'result')).toMatchObject({
      isError: false,
      text: expect.stringContaining('marmalade of oranges') as string,
    })
  })

  it('/context clear is for the chat it is typed in', async () => {
    const b = await chatWithTwoTurns()
    const other = await b.agent.create('Another')
    await sendAndSettle(b, other.id, 'Here too')
    await b.agent.command(b.id, '/context clear')
    expect((await b.agent.view(b.id)).map(({ role }) => role)).toEqual(['system', 'tools'])
    expect((await b.agent.view(other.id)).map(({ role }) => role)).toEqual(['system', 'tools', 'user', 'assistant'])
  })

  it('/compact works where compacting by itself is switched off', async () => {
    const b = testAgent([
      'We decided to use port 8443 for the proxy. '.repeat(60),
      'Short.',
      '## Goal\nThe proxy\n## Key Decisions\nPort 8443',
    ])
    const { id } = await b.agent.create('x')
    await b.agent.choose(id, { strategy: 'qwenpaw' })
    await b.agent.command(id, '/config context_compact_config.enabled false')
    await sendAndSettle(b, id, 'Tell me')
    await sendAndSettle(b, id, 'And now?')
    expect(await noteOf(b, id, '/compact')).toMatch(/^Compact complete/)
  })

  it('/compact says that there is nothing, and what it did, with the instruction in the prompt', async () => {
    const long = 'We decided to use port 8443 for the proxy. '.repeat(60)
    const b = testAgent([long, 'Short.', '## Goal\nThe proxy\n## Key Decisions\nPort 8443'])
    const { id } = await b.agent.create('x')
    expect(await noteOf(b, id, '/compact')).toMatch(/^There is nothing to compact:/)
    await sendAndSettle(b, id, 'Tell me')
    await sendAndSettle(b, id, 'And now?')
    const note = await noteOf(b, id, '/compact keep the decisions')
    expect(note).toMatch(
      /^Compact complete\. Messages compacted: \d+ \(.* tokens\)\. Compressed Summary: in the card above\.$/,
    )
    expect((await b.log(id)).findLast(entry => entry.type === 'summary')).toMatchObject({
      text: expect.stringContaining('Port 8443') as string,
    })
    expect(b.model.requests.at(-1)?.messages.at(-1)?.content).toMatch(/keep the decisions$/)
    expect(await noteOf(b, id, '/summary')).toContain('The proxy')
    expect(await noteOf(b, id, '/compact_str')).toContain('The proxy')
  })

  it.each(['en', 'zh'] as const)(
    '/compact says in %s that the instruction could not be followed where the summary was made by rule, and the log knows it',
    async language => {
      const long = 'We decided to use port 8443 for the proxy. '.repeat(60)
      const b = testAgent(request =>
        request.tools.length > 0 ? long : { fail: { code: 'model_server', message: 'overloaded' } },
      )
      await b.agent.setLanguage(language)
      const { id } = await b.agent.create('x')
      await sendAndSettle(b, id, 'Tell me')
      await sendAndSettle(b, id, 'And now?')
      const unfollowed = { en: /your instruction could not be followed/, zh: /未能按你的要求处理/ }[language]
      expect(await noteOf(b, id, '/compact keep the decisions')).toMatch(unfollowed)
      const log = await b.log(id)
      expect(log.findLast(entry => entry.type === 'summary')).toMatchObject({
        by: 'extractive',
        stats: { unfollowed: true },
      })
      expect(log.find(entry => entry.type === 'note' && entry.code === 'summary_failed')).toMatchObject({
        text: expect.stringMatching(unfollowed) as string,
      })
      // without an instruction there was none to follow
      await sendAndSettle(b, id, 'And then?')
      await sendAndSettle(b, id, 'And after that?')
      expect(await noteOf(b, id, '/compact')).not.toMatch(unfollowed)
      const after = await b.log(id)
      expect(after.findLast(entry => entry.type === 'summary')).toMatchObject({
        by: 'extractive',
        stats: { ms: expect.any(Number) as number },
      })
      expect(after.findLast(entry => entry.type === 'summary')).not.toHaveProperty('stats.unfollowed')
    },
  )

  it('/strategy explains the limits of each with the numbers that hold, and gives the reasons of what differs', async () => {
    for (const [language, limit] of [
      ['en', 'show at most 1,500 characters (tool_result_compact_max_chars)'],
      ['zh', '只显示 1,500 个字符（tool_result_compact_max_chars）'],
    ] as const) {
      const b = await chatWithTwoTurns()
      await b.agent.setLanguage(language)
      await b.agent.command(b.id, '/strategy cowagent')
      await b.agent.command(b.id, '/config agent_max_context_turns 30')
      await b.agent.command(b.id, '/config tool_result_compact_max_chars 1500')
      const note = await noteOf(b, b.id, '/strategy')
      expect(note).toContain(limit)
      expect(note).toMatch(/30 (轮（|turns \()agent_max_context_turns/)
      expect(note).toMatch(
        language === 'en'
          ? /for 6 hours \(restore_after\)[^]+its newest 5 turns[^]+a sixth of agent_max_context_turns, at least 3/
          : /闲置 6 小时（restore_after）[^]+最近 5 轮继续[^]+六分之一，至少 3 轮/,
      )
      for (const { title, published, here, why } of differencesOf('cowagent').map(row => row[language]))
        for (const part of [title.slice(1), published, here, why]) expect(note).toContain(part)
      expect(await noteOf(b, b.id, '/config')).toContain(
        differencesOf('cowagent')
          .map(row => row[language].title)
          .join(language === 'en' ? '; ' : '；'),
      )
    }
  })

  it('/strategy and /model show and switch', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/strategy')).toContain('Strategy: balanced')
    expect(await noteOf(b, b.id, '/strategy QwenPaw')).toContain('balanced → qwenpaw')
    expect((await b.agent.open(b.id)).info.strategy).toBe('qwenpaw')
    expect(await b.agent.command(b.id, '/strategy best')).toMatchObject({ error: { code: 'not_found' } })
    expect(await noteOf(b, b.id, '/model')).toContain('scripted')
    expect(await b.agent.command(b.id, '/model gpt-9')).toMatchObject({ error: { code: 'not_found' } })
  })

  it('/history shows what would be sent, /search finds it, /memory keeps a line', async () => {
    const b = await chatWithTwoTurns()
    expect((await noteOf(b, b.id, '/history 2')).split('\n').slice(1)).toEqual([
      expect.stringContaining('3. user'),
      expect.stringContaining('4. assistant'),
    ])
    expect(await noteOf(b, b.id, '/search second')).toContain('Second question')
    expect(await noteOf(b, b.id, '/memory')).toContain('no memory of today')
    await noteOf(b, b.id, '/memory Ada likes tea')
    expect(await noteOf(b, b.id, '/memory')).toContain('Ada likes tea')
  })

  it('/new leaves a note, because the page begins the chat; /export says what to export, /stop ends what asks', async () => {
    const b = await chatWithTwoTurns()
    expect(await b.agent.command(b.id, '/new Another one')).toEqual({})
    expect(await b.agent.sessions()).toHaveLength(1)
    expect(await b.agent.command(b.id, '/export')).toEqual({ export: { kind: 'session', session: b.id } })
    expect(await b.agent.command(b.id, '/dump_history all')).toEqual({ export: { kind: 'all' } })
    expect(await b.agent.command(b.id, '/export day 2026-01-31')).toEqual({
      export: { kind: 'day', day: '2026-01-31' },
    })
    expect(await b.agent.command(b.id, '/export day yesterday')).toMatchObject({ error: { code: 'bad_input' } })
    expect(await noteOf(b, b.id, '/stop')).toBe('Nothing is running.')
  })

  it('are typed: a message is sent as it is, whatever it begins with', async () => {
    const b = await chatWithTwoTurns()
    await sendAndSettle(b, b.id, '// a comment')
    expect(b.model.requests.at(-1)?.messages.at(-1)?.content).toBe('// a comment')
  })
})
