import { describe, expect, it } from 'vitest'
import { configNames, readsSetting } from '../../context/config/config.ts'
import { publishedConfigs } from '../../context/config/published-configs.fixture.ts'
import { defaultStrategy, strategyNames, type StrategyName } from '../../context/strategy.ts'
import { sendAndSettle } from '../agent.fixture.ts'
import { noteOf, chatWithTwoTurns } from './commands.fixture.ts'

describe('commands', () => {
  it('every strategy that /strategy lists can be chosen, in a chat and for new ones, and then it is the one that runs', async () => {
    const b = await chatWithTwoTurns()
    const listed = /There are: ([^.]+)\./.exec(await noteOf(b, b.id, '/strategy'))?.[1]?.split(', ')
    expect(listed).toEqual(strategyNames)
    for (const name of strategyNames.toReversed()) {
      await noteOf(b, b.id, `/strategy ${name}`)
      expect((await b.agent.preview(b.id)).strategy).toBe(name)
      expect(await noteOf(b, b.id, '/config')).toContain(`Strategy: ${name}.`)
      await b.agent.setDefaults({ strategy: name })
      const { id } = await b.agent.create('Another')
      expect((await b.agent.preview(id)).strategy).toBe(name)
    }
    await b.store.saveSetting('defaults', { strategy: 'of a later version' })
    await b.store.updateSession(b.id, { strategy: 'of a later version' })
    expect((await b.agent.preview(b.id)).strategy).toBe(defaultStrategy)
  })

  it('/config lists, shows, sets, refuses, and knows what a strategy reads', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/config')).toContain('max_input_length = 131072 (default)')
    expect(await noteOf(b, b.id, '/config max_input_length 50000')).toContain(
      'max_input_length: 131072 → 50000, for this chat',
    )
    expect((await b.agent.context(b.id)).window).toBe(50_000)
    expect(await noteOf(b, b.id, '/config max_input_length')).toContain('set for this chat')
    expect(await noteOf(b, b.id, '/config compact_threshold_ratio 0.5')).toContain('qwenpaw')
    expect(await b.agent.command(b.id, '/config max_input_length many')).toMatchObject({ error: { code: 'bad_input' } })
    expect(await b.agent.command(b.id, '/config max_inptu_length')).toMatchObject({
      error: { message: expect.stringContaining('max_input_length') as string },
    })
    expect(await b.agent.command(b.id, '/config reserve_threshold_ratio 0.3')).toEqual({})
    expect(await b.agent.command(b.id, '/config compact_threshold_ratio 0.2')).toMatchObject({
      error: { code: 'bad_input' },
    })
    await b.agent.command(b.id, '/config max_input_length 60000 --all')
    expect((await b.agent.defaults()).config).toEqual({ max_input_length: 60_000 })
  })

  it('/config takes the published lines as they are, and they take effect', async () => {
    const b = await chatWithTwoTurns()
    await b.agent.choose(b.id, { strategy: 'cowagent' })
    expect(await noteOf(b, b.id, '/config agent_max_context_tokens 80000')).toContain(
      'agent_max_context_tokens: 50000 → 80000, for this chat',
    )
    expect((await b.agent.context(b.id)).threshold).toBe(80_000)
    expect(await noteOf(b, b.id, '/config agent_max_context_turns 30')).toContain(
      'agent_max_context_turns: 20 → 30, for this chat',
    )
    for (let n = 0; n < 26; n++) await sendAndSettle(b, b.id, `Question ${n}`)
    expect((await b.log(b.id)).filter(entry => entry.type === 'cut')).toEqual([])
    await b.agent.command(b.id, '/config agent_max_context_turns 10')
    await sendAndSettle(b, b.id, 'And now?')
    expect((await b.log(b.id)).filter(entry => entry.type === 'cut')).toHaveLength(1)
  })

  it('/config token_count_estimate_divisor says how many bytes are a token', async () => {
    const b = await chatWithTwoTurns()
    await b.agent.choose(b.id, { strategy: 'qwenpaw' })
    await sendAndSettle(b, b.id, 'x'.repeat(4_000))
    const of = async () => (await b.agent.context(b.id)).tiles.find(tile => tile.label.startsWith('xxx'))?.tokens
    expect(await of()).toBe(1_000)
    await b.agent.command(b.id, '/config token_count_estimate_divisor 2')
    expect(await of()).toBe(2_000)
  })

  it.each(['en', 'zh'] as const)(
    '/config says in %s, and once, what is wrong with a value, and takes a setting back',
    async language => {
      const b = await chatWithTwoTurns()
      await b.agent.setLanguage(language)
      const wrong = async (line: string) => (await b.agent.command(b.id, line)).error?.message ?? ''
      const lines = [
        '/config nonsense',
        '/config max_input_length many',
        '/config max_input_length 3',
        '/config token_counter words',
        '/config enable_tool_result_compact perhaps',
      ]
      for (const line of lines) {
        const said = await wrong(line)
        expect(said).not.toMatch(/\.\./)
        if (language === 'zh') expect(said.replace(/“[^”]*”/g, '')).not.toMatch(/\b(?:is|not|between|There|one of)\b/)
      }
      expect(await wrong('/config reserve_threshold_ratio 0.3')).toBe('')
      expect(await wrong('/config compact_threshold_ratio 0.2')).toMatch(
        { en: /must be below/, zh: /必须小于/ }[language],
      )
      await expect(b.agent.setConfig(b.id, { pruning_recent_n: 99 })).rejects.toThrow(
        { en: /lies between 1 and 10/, zh: /应在 1 到 10 之间/ }[language],
      )
      // what has no effect is not said to take effect
      const idle = await noteOf(b, b.id, '/config pruning_recent_n 3')
      expect(idle).toMatch({ en: /has no effect here now/, zh: /目前不起作用/ }[language])
      expect(idle).not.toMatch({ en: /takes effect at the next request/, zh: /从下一次请求开始/ }[language])
      await b.agent.command(b.id, '/config agent_max_steps 7')
      await b.agent.command(b.id, '/config agent_max_steps 9 --all')
      expect(await noteOf(b, b.id, '/config agent_max_steps default')).toMatch(
        {
          en: /^agent_max_steps: 7 → 9, as it is set for all chats\.$/,
          zh: /^agent_max_steps：7 → 9，即对所有对话设置的值。$/,
        }[language],
      )
      expect(await noteOf(b, b.id, '/config agent_max_steps default --all')).toMatch(
        { en: /^agent_max_steps: 9 → 50, its default\.$/, zh: /^agent_max_steps：9 → 50，即默认值。$/ }[language],
      )
      expect((await b.agent.defaults()).config).toEqual({})
    },
  )

  it('/config takes a pasted settings file of a seed', async () => {
    const b = await chatWithTwoTurns()
    const file = {
      agents: {
        running: {
          context_manager_backend: 'light',
          max_input_length: 40_000,
          light_context_config: { context_compact_config: { compact_threshold_ratio: 0.7 } },
          llm_retry: true,
        },
      },
    }
    const note = await noteOf(b, b.id, `/config ${JSON.stringify(file, null, 2)}`)
    expect(note).toContain('balanced → qwenpaw')
    expect(note).toContain('- max_input_length: 131072 → 40000')
    expect(note).toContain('agents.running.llm_retry')
    expect((await b.agent.context(b.id)).window).toBe(40_000)
    expect(await b.agent.command(b.id, '/config {"max')).toMatchObject({ error: { code: 'bad_json' } })
  })

  it.each(publishedConfigs)(
    '/config takes the published file of $strategy in a chat of any strategy: it switches, says why, and names the way back',
    async ({ strategy, because, file }) => {
      for (const before of strategyNames) {
        const b = await chatWithTwoTurns()
        await b.agent.command(b.id, `/strategy ${before}`)
        const note = await noteOf(b, b.id, `/config ${file}`)
        expect((await b.agent.open(b.id)).info.strategy).toBe(strategy)
        if (before === strategy) expect(note).not.toContain('Strategy:')
        else {
          expect(note).toContain(`Strategy: ${before} → ${strategy}, because the file `)
          expect(note).toContain(because)
          expect(note).toContain(`/strategy ${before} goes back`)
        }
        expect(note).not.toMatch(/Not taken|Not known/)
        if (strategy === 'qwenpaw')
          expect(note).toMatch(
            /From the file, for this chat: 10 settings, [12] changes?:[^]+- context_manager_backend: light\n[^]+- dialog_path: dialog, as in every chat/,
          )
        else expect(note).not.toContain('without effect')
        // a file is meant for the strategy it came from: its numbers decide from now on
        expect((await b.agent.context(b.id)).threshold).toBe(
          { cowagent: 80_000, copaw: 89_600, qwenpaw: 102_400 }[strategy as 'copaw'],
        )
        expect((await b.agent.config(b.id)).find(row => row.key === 'agent_max_steps')).toMatchObject(
          strategy === 'cowagent' ? { value: 15, source: 'chat' } : { source: 'default' },
        )
      }
    },
  )

  it('/config with a file that fits no one strategy keeps the one there is, and says which lines do nothing and why', async () => {
    const b = await chatWithTwoTurns()
    const note = await noteOf(
      b,
      b.id,
      '/config { "memory_compact_ratio": 0.7, "pruning_recent_n": 3, "agent_max_steps": 7, "nothing_of_ours": 1 }',
    )
    expect(note).not.toContain('Strategy:')
    expect(note).toContain('copaw (memory_compact_ratio) and qwenpaw (pruning_recent_n)')
    expect(note).toContain('It stays balanced.\n\nTo have one of them: /strategy copaw, /strategy qwenpaw.')
    expect(note).toContain('From the file, for this chat: 3 settings, 3 changes:\n\n- agent_max_steps: 50 → 7')
    expect(note).toMatch(
      /without effect under balanced:\n\n- memory_compact_ratio: 0.75 → 0.7 \(only copaw reads it\)\n- pruning_recent_n: 2 → 3 \(only qwenpaw reads it\)/,
    )
    expect((await b.agent.open(b.id)).info.strategy).toBeUndefined()
  })

  it('/config takes a file between fences, and with --all for all chats and the strategy of new ones', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/config\n```json\n{ "tool_result_compact_keep_n": 4 }\n```')).toMatch(
      /balanced → copaw[^]+1 setting, 1 change\.[^]+tool_result_compact_keep_n: 5 → 4 \(it counts only while enable_tool_result_compact is true\)/,
    )
    expect(await noteOf(b, b.id, '/config { "agent_max_context_turns": 12 } --all')).toMatch(
      /^Strategy of new chats[^]+balanced → cowagent[^]+From the file, for all chats: 1 setting, 1 change/,
    )
    expect(await b.agent.defaults()).toMatchObject({ strategy: 'cowagent', config: { agent_max_context_turns: 12 } })
    expect((await b.agent.open(b.id)).info.strategy).toBe('copaw')
    expect(await b.agent.command(b.id, '/config { "agent_max_context_turns": 12, }')).toMatchObject({
      error: { code: 'bad_json' },
    })
  })

  it('/config with the key that names a strategy switches, for this chat or for new ones', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/config context_manager_backend light')).toContain('Strategy: balanced → qwenpaw')
    expect((await b.agent.open(b.id)).info.strategy).toBe('qwenpaw')
    expect(await noteOf(b, b.id, '/config context_manager_backend light --all')).toContain('new chats')
    expect((await b.agent.defaults()).strategy).toBe('qwenpaw')
    expect(await b.agent.command(b.id, '/config context_manager_backend heavy')).toMatchObject({
      error: { code: 'bad_input' },
    })
  })

  it('/config says of a single key as well why it does nothing', async () => {
    const b = await chatWithTwoTurns()
    expect(await noteOf(b, b.id, '/config compact_threshold_ratio 0.7')).toContain(
      'no effect here now, under balanced: only qwenpaw reads it',
    )
    await b.agent.command(b.id, '/strategy copaw')
    expect(await noteOf(b, b.id, '/config tool_result_compact_max_chars 2000')).toContain(
      'it counts only while enable_tool_result_compact is true',
    )
    expect(await noteOf(b, b.id, '/config enable_tool_result_compact true')).not.toContain('no effect')
    expect(await noteOf(b, b.id, '/config tool_result_compact_max_chars')).not.toContain('no effect')
    expect(await noteOf(b, b.id, '/config dialog_path')).toContain('it has no other value, in any chat')
  })

  it('/config strategies lists the settings of all strategies; /help and the list say so', async () => {
    const b = await chatWithTwoTurns()
    const note = await noteOf(b, b.id, '/config strategies')
    for (const key of configNames) expect(note).toContain(`- ${key} = `)
    expect(note).toMatch(/Read by copaw only:\n\n(- .+\n)*- tool_result_compact_max_chars = 1000 \(default\)/)
    expect(await noteOf(b, b.id, '/config')).not.toContain('memory_compact_ratio')
    for (const line of ['/help', '/config']) expect(await noteOf(b, b.id, line)).toMatch(/pasted[^]*strategies/)
    expect(await b.agent.command(b.id, '/config all')).toMatchObject({
      error: { message: expect.stringContaining('/config strategies') as string },
    })
  })

  it.each(strategyNames)('/config strategies says under %s what each setting is under the others', async name => {
    const b = await chatWithTwoTurns()
    await b.agent.choose(b.id, { strategy: name })
    await b.agent.setConfig(b.id, { agent_max_steps: 7 })
    const lines = (await noteOf(b, b.id, '/config strategies')).split('\n')
    const told = (strategy: StrategyName, key: string): string | undefined => {
      const [, value, more = ''] =
        new RegExp(`^- ${key.replaceAll('.', '\\.')} = (\\S+) \\((.*)\\)$`).exec(
          lines.find(line => line.startsWith(`- ${key} = `)) ?? '',
        ) ?? []
      return new RegExp(`(\\S+) under ${strategy}(;|$)`).exec(more)?.[1] ?? value
    }
    for (const other of strategyNames) {
      await b.agent.choose(b.id, { strategy: other })
      const held = new Map((await b.agent.config(b.id)).map(({ key, value }) => [key, String(value)]))
      for (const key of configNames)
        if (readsSetting(other, key)) expect(told(other, key), `${key} under ${other}`).toBe(held.get(key))
    }
  })

  it.each([
    ['en', 'nothing was set'],
    ['zh', '没有做任何设置'],
  ] as const)('/config says in %s that a pasted file is no JSON', async (language, said) => {
    const b = await chatWithTwoTurns()
    await b.agent.setLanguage(language)
    expect(await b.agent.command(b.id, '/config { "agent_max_context_turns": 12, }')).toMatchObject({
      error: { code: 'bad_json', message: expect.stringContaining(said) as string },
    })
    expect((await b.agent.config(b.id)).find(row => row.key === 'agent_max_context_turns')).toMatchObject({
      source: 'default',
    })
  })
})
