import { describe, expect, it } from 'vitest'
import { configKeys, configNames, defaultsOf, noEffect, readsSetting } from './config.ts'
import { configFaultTexts } from './config-fault-texts.ts'
import { contradictions } from './config-faults.ts'
import { importConfig, linesUnder } from './config-import.ts'
import { nearestConfigNames, parseConfigValue } from './config-value.ts'
import { effectiveConfig } from './effective-config.ts'
import { publishedConfigs } from './published-configs.fixture.ts'
import { strategyNames } from '../strategy.ts'

const defaults = defaultsOf('qwenpaw')

describe('settings', () => {
  it('have defaults that hold together, within their own ranges, for every strategy', () => {
    for (const strategy of strategyNames) {
      const config = defaultsOf(strategy)
      expect(contradictions(config)).toEqual([])
      for (const name of configNames)
        expect(parseConfigValue(name, config[name])).toEqual({ key: name, value: config[name] })
    }
    expect(defaultsOf('cowagent').agent_max_steps).toBe(15)
    expect(defaultsOf('balanced').agent_max_steps).toBe(50)
    expect(defaultsOf('copaw').offload_retention_days).toBe(7)
  })

  it.each([
    [
      'cowagent',
      {
        agent_max_context_tokens: 50_000,
        agent_max_context_turns: 20,
        agent_max_steps: 15,
        session_retention_days: 30,
      },
    ],
    [
      'copaw',
      {
        max_input_length: 131_072,
        memory_compact_ratio: 0.75,
        memory_reserve_ratio: 0.1,
        enable_tool_result_compact: false,
        tool_result_compact_keep_n: 5,
        offload_retention_days: 7,
      },
    ],
    [
      'qwenpaw',
      {
        max_input_length: 131_072,
        context_manager_backend: 'light',
        memory_manager_backend: 'remelight',
        dialog_path: 'dialog',
        token_count_estimate_divisor: 4,
        'context_compact_config.enabled': true,
        compact_threshold_ratio: 0.8,
        reserve_threshold_ratio: 0.1,
        'tool_result_pruning_config.enabled': true,
        pruning_recent_n: 2,
        pruning_old_msg_max_bytes: 3_000,
        pruning_recent_msg_max_bytes: 50_000,
        offload_retention_days: 5,
      },
    ],
  ] as const)('are the published numbers of %s where nobody set anything', (strategy, published) => {
    expect(defaultsOf(strategy)).toMatchObject(published)
    for (const name of Object.keys(published)) expect(readsSetting(strategy, name as keyof typeof published)).toBe(true)
  })

  it('that name a thing of which there is one take that name and no other', () => {
    expect(
      [
        parseConfigValue('context_manager_backend', 'light'),
        parseConfigValue('memory_manager_backend', 'remelight'),
        parseConfigValue('dialog_path', 'dialog'),
      ].map(read => 'fault' in read),
    ).toEqual([false, false, false])
    for (const name of ['context_manager_backend', 'memory_manager_backend', 'dialog_path'])
      expect(parseConfigValue(name, 'another')).toMatchObject({ fault: { wrong: 'choice' } })
  })

  it('of the chat win over those of all chats, and those over the defaults', () => {
    const config = effectiveConfig(defaults, { pruning_recent_n: 3, max_input_length: 9_000 }, { pruning_recent_n: 4 })
    expect(config).toMatchObject({ pruning_recent_n: 4, max_input_length: 9_000, pruning_old_msg_max_bytes: 3_000 })
  })

  it('that are unknown, out of range or contradict each other do not take effect', () => {
    const config = effectiveConfig(
      defaults,
      { nonsense: 1, pruning_recent_n: 99 },
      { pruning_old_msg_max_bytes: 60_000 },
    )
    expect(config).toEqual(defaults)
  })

  it('are read as typed: numbers, yes and no, names in short or in full', () => {
    expect(parseConfigValue('agents.running.max_input_length', '8_192')).toEqual({
      key: 'max_input_length',
      value: 8192,
    })
    expect(parseConfigValue('Enable_Tool_Result_Compact', 'on')).toEqual({
      key: 'enable_tool_result_compact',
      value: true,
    })
    expect(parseConfigValue('token_counter', 'bytes/4')).toEqual({ key: 'token_counter', value: 'bytes' })
    expect(parseConfigValue('compact_threshold_ratio', '.5')).toEqual({ key: 'compact_threshold_ratio', value: 0.5 })
  })

  it.each([
    ['agent_max_context_turns', 'abc', 'number'],
    ['agent_max_context_turns', '-5', 'between'],
    ['agent_max_context_turns', '2.5', 'whole'],
    ['compact_threshold_ratio', '0.95', 'between'],
    ['compact_threshold_ratio', 'NaN', 'number'],
    ['compact_threshold_ratio', '1e999', 'number'],
    ['enable_tool_result_compact', '2', 'true or false'],
    ['pruning_recent_n', true, 'number'],
    ['pruning_recent_n', null, 'number'],
    ['token_counter', 'words', 'one of'],
    ['pruning_recent_n', '', 'number'],
  ])('refuse %s = %j and say why', (key, value, reason) => {
    const read = parseConfigValue(key, value)
    expect('fault' in read && configFaultTexts.en(read.fault)).toContain(reason)
    expect('fault' in read && configFaultTexts.zh(read.fault)).toMatch(
      new RegExp(`^${key} (?!.*${reason}).*\\p{Script=Han}`, 'u'),
    )
  })

  it('that do not exist get the nearest names', () => {
    expect(nearestConfigNames('agent_max_context_token')[0]).toBe('agent_max_context_tokens')
    expect(nearestConfigNames('compact_treshold_ratio')[0]).toBe('compact_threshold_ratio')
    expect(parseConfigValue('pruning_recent', 3)).toMatchObject({
      fault: { wrong: 'unknown', nearest: expect.arrayContaining(['pruning_recent_n']) as string[] },
    })
    expect(parseConfigValue('__proto__', 3)).toHaveProperty('fault')
    expect(parseConfigValue('constructor', 3)).toHaveProperty('fault')
  })

  it('do something under each strategy that reads them, where the switch they need is on, or have one value only', () => {
    for (const key of configNames) {
      const { needs, strategies: readers } = configKeys[key]
      for (const strategy of strategyNames) {
        const on = { ...defaultsOf(strategy), ...(needs && { [needs]: true }) }
        if (!readsSetting(strategy, key) && configKeys[key].chooses === undefined)
          expect(noEffect(key, strategy, on)?.why).toMatch(/other strategy|fixed/)
        else if (noEffect(key, strategy, on) !== undefined)
          expect(configKeys[key]).toMatchObject({ type: 'choice', choices: { length: 1 } })
        if (needs && readsSetting(strategy, key))
          expect(noEffect(key, strategy, { ...on, [needs]: false })).toEqual({ why: 'switched off', by: needs })
      }
      if (needs) expect(configKeys[needs]).toMatchObject({ type: 'boolean', strategies: readers })
    }
  })

  it('of another strategy are known as such', () => {
    expect(readsSetting('cowagent', 'pruning_recent_n')).toBe(false)
    expect(readsSetting('qwenpaw', 'pruning_recent_n')).toBe(true)
    expect(readsSetting('copaw', 'max_input_length')).toBe(true)
  })
})

describe('importConfig', () => {
  it('understands the shape of QwenPaw', () => {
    const json = {
      agents: {
        running: {
          max_input_length: 128_000,
          context_manager_backend: 'light',
          light_context_config: {
            dialog_path: 'dialog',
            context_compact_config: {
              enabled: true,
              compact_threshold_ratio: 0.8,
              reserve_threshold_ratio: 0.1,
              compact_with_thinking_block: true,
            },
            tool_result_pruning_config: { enabled: false, pruning_recent_n: 2, exempt_tool_names: ['chat_with_agent'] },
          },
        },
      },
    }
    expect(importConfig(json, defaults)).toEqual({
      changes: {
        max_input_length: 128_000,
        dialog_path: 'dialog',
        'context_compact_config.enabled': true,
        compact_threshold_ratio: 0.8,
        reserve_threshold_ratio: 0.1,
        'tool_result_pruning_config.enabled': false,
        pruning_recent_n: 2,
      },
      strategy: { name: 'qwenpaw', because: 'context_manager_backend', value: 'light' },
      unknown: [
        'agents.running.light_context_config.context_compact_config.compact_with_thinking_block',
        'agents.running.light_context_config.tool_result_pruning_config.exempt_tool_names',
      ],
      problems: [],
    })
  })

  it('understands the shape of CoPaw and the flat one of CowAgent', () => {
    const copaw = {
      agents: {
        running: {
          max_input_length: 128_000,
          memory_compact_ratio: 0.7,
          memory_reserve_ratio: 0.1,
          enable_tool_result_compact: true,
          tool_result_compact_keep_n: 3,
        },
      },
    }
    expect(importConfig(copaw, defaultsOf('copaw')).changes).toEqual(copaw.agents.running)
    const cowagent = {
      channel_type: 'web',
      model: 'x',
      agent_max_context_tokens: 64_000,
      agent_max_context_turns: 30,
      agent_max_steps: 30,
    }
    const report = importConfig(cowagent, defaultsOf('cowagent'))
    expect(report.changes).toEqual({
      agent_max_context_tokens: 64_000,
      agent_max_context_turns: 30,
      agent_max_steps: 30,
    })
    expect(report.unknown).toEqual(['channel_type', 'model'])
  })

  it('takes the rest where something is wrong, and says what', () => {
    const report = importConfig(
      { pruning_recent_n: 'many', reserve_threshold_ratio: 0.3, compact_threshold_ratio: 0.2, max_input_length: 5_000 },
      defaults,
    )
    expect(report.changes).toEqual({ max_input_length: 5_000 })
    expect(report.problems).toHaveLength(2)
  })

  it.each(publishedConfigs)(
    'knows that the published file of $strategy is for it, and that under it each line does something',
    ({ strategy, because, file, lines }) => {
      for (const chat of strategyNames) {
        const current = defaultsOf(chat)
        const report = importConfig(JSON.parse(file), current)
        expect(report).toMatchObject({ strategy: { name: strategy, because }, unknown: [], problems: [] })
        const under = linesUnder(strategy, report, current)
        expect(under).toHaveLength(lines)
        expect(under.filter(line => line.noEffect !== undefined)).toEqual([])
        expect(under.filter(line => line.fixed).map(({ key }) => key)).toEqual(
          strategy === 'qwenpaw' ? ['dialog_path'] : [],
        )
      }
    },
  )

  it('says of each line what it does where the file’s strategy is not taken', () => {
    const current = defaultsOf('balanced')
    const lines = linesUnder('balanced', importConfig(JSON.parse(publishedConfigs[1]!.file), current), current)
    expect(lines.find(line => line.key === 'max_input_length')).toEqual({
      key: 'max_input_length',
      before: 131_072,
      value: 128_000,
    })
    expect(lines.filter(line => line.noEffect?.why === 'other strategy')).toHaveLength(4)
    const named = linesUnder('balanced', importConfig({ context_manager_backend: 'light' }, current), current)
    expect(named).toEqual([
      { key: 'context_manager_backend', value: 'light', noEffect: { why: 'other strategy', strategies: ['qwenpaw'] } },
    ])
  })

  it('says of a line that another one switches it off, in the file or in what holds already', () => {
    const current = defaultsOf('copaw')
    const idle = (json: unknown, config = current) =>
      linesUnder('copaw', importConfig(json, config), config).filter(line => line.noEffect !== undefined)
    expect(idle({ tool_result_compact_keep_n: 3 })).toEqual([
      {
        key: 'tool_result_compact_keep_n',
        before: 5,
        value: 3,
        noEffect: { why: 'switched off', by: 'enable_tool_result_compact' },
      },
    ])
    expect(idle({ tool_result_compact_keep_n: 3, enable_tool_result_compact: true })).toEqual([])
    expect(idle({ tool_result_compact_keep_n: 3 }, { ...current, enable_tool_result_compact: true })).toEqual([])
  })

  it('chooses no strategy by keys that all read or that have one value, nor where two have keys of their own', () => {
    expect(
      importConfig(
        { max_input_length: 9_000, agent_max_steps: 3, dialog_path: 'dialog', memory_manager_backend: 'remelight' },
        defaults,
      ),
    ).not.toHaveProperty('strategy')
    const mixed = importConfig({ memory_compact_ratio: 0.7, pruning_recent_n: 3, memory_reserve_ratio: 0.2 }, defaults)
    expect(mixed).not.toHaveProperty('strategy')
    expect(mixed.mixed).toEqual([
      { name: 'copaw', key: 'memory_compact_ratio' },
      { name: 'qwenpaw', key: 'pruning_recent_n' },
    ])
    // a line that names the strategy decides, whatever else is there; one that is not taken decides nothing
    expect(importConfig({ memory_compact_ratio: 0.7, context_manager_backend: 'light' }, defaults).strategy).toEqual({
      name: 'qwenpaw',
      because: 'context_manager_backend',
      value: 'light',
    })
    expect(importConfig({ memory_compact_ratio: 'much', pruning_recent_n: 3 }, defaults).strategy?.name).toBe('qwenpaw')
    expect(importConfig({ context_manager_backend: 'heavy' }, defaults)).not.toHaveProperty('strategy')
  })

  it.each([[null], [[]], ['text'], [3]])('says of %j that it is no object', json => {
    expect(importConfig(json, defaults).problems).toHaveLength(1)
  })
})
