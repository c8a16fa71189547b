import { describe, expect, it } from 'vitest'
import { configNames, contradictions, defaultsOf, reads } from './config.ts'
import { importConfig } from './config-import.ts'
import { nearestNames, readValue } from './config-value.ts'
import { effectiveConfig } from './effective-config.ts'

const defaults = defaultsOf('qwenpaw')

describe('settings', () => {
  it('have defaults that hold together, within their own ranges, for every strategy', () => {
    for (const strategy of ['cowagent', 'copaw', 'qwenpaw', 'balanced'] as const) {
      const config = defaultsOf(strategy)
      expect(contradictions(config)).toEqual([])
      for (const name of configNames) expect(readValue(name, config[name])).toEqual({ key: name, value: config[name] })
    }
    expect(defaultsOf('cowagent').agent_max_steps).toBe(15)
    expect(defaultsOf('balanced').agent_max_steps).toBe(50)
    expect(defaultsOf('copaw').offload_retention_days).toBe(7)
  })

  it('of the chat win over those of all chats, and those over the defaults', () => {
    const config = effectiveConfig(defaults, { pruning_recent_n: 3, max_input_length: 9_000 }, { pruning_recent_n: 4 })
    expect(config).toMatchObject({ pruning_recent_n: 4, max_input_length: 9_000, pruning_old_msg_max_bytes: 3_000 })
  })

  it('that are unknown, out of range or contradict each other do not take effect', () => {
    const config = effectiveConfig(defaults, { nonsense: 1, pruning_recent_n: 99 }, { pruning_old_msg_max_bytes: 60_000 })
    expect(config).toEqual(defaults)
  })

  it('are read as typed: numbers, yes and no, names in short or in full', () => {
    expect(readValue('agents.running.max_input_length', '8_192')).toEqual({ key: 'max_input_length', value: 8192 })
    expect(readValue('Enable_Tool_Result_Compact', 'on')).toEqual({ key: 'enable_tool_result_compact', value: true })
    expect(readValue('token_counter', 'bytes/4')).toEqual({ key: 'token_counter', value: 'bytes' })
    expect(readValue('compact_threshold_ratio', '.5')).toEqual({ key: 'compact_threshold_ratio', value: 0.5 })
  })

  it.each([
    ['agent_max_context_turns', 'abc', 'number'], ['agent_max_context_turns', '-5', 'between'], ['agent_max_context_turns', '2.5', 'whole'],
    ['compact_threshold_ratio', '0.95', 'between'], ['compact_threshold_ratio', 'NaN', 'number'], ['compact_threshold_ratio', '1e999', 'number'],
    ['enable_tool_result_compact', '2', 'true or false'], ['pruning_recent_n', true, 'number'], ['pruning_recent_n', null, 'number'],
    ['token_counter', 'words', 'one of'], ['pruning_recent_n', '', 'number'],
  ])('refuse %s = %j and say why', (key, value, reason) => {
    expect(readValue(key, value)).toMatchObject({ error: expect.stringContaining(reason) })
  })

  it('that do not exist get the nearest names', () => {
    expect(nearestNames('agent_max_context_token')[0]).toBe('agent_max_context_tokens')
    expect(nearestNames('compact_treshold_ratio')[0]).toBe('compact_threshold_ratio')
    expect(readValue('pruning_recent', 3)).toMatchObject({ nearest: expect.arrayContaining(['pruning_recent_n']) })
    expect(readValue('__proto__', 3)).toHaveProperty('error')
    expect(readValue('constructor', 3)).toHaveProperty('error')
  })

  it('of another strategy are known as such', () => {
    expect(reads('cowagent', 'pruning_recent_n')).toBe(false)
    expect(reads('qwenpaw', 'pruning_recent_n')).toBe(true)
    expect(reads('copaw', 'max_input_length')).toBe(true)
  })
})

describe('importConfig', () => {
  it('understands the shape of QwenPaw', () => {
    const json = { agents: { running: { max_input_length: 128_000, context_manager_backend: 'light', light_context_config: {
      dialog_path: 'dialog',
      context_compact_config: { enabled: true, compact_threshold_ratio: 0.8, reserve_threshold_ratio: 0.1, compact_with_thinking_block: true },
      tool_result_pruning_config: { enabled: false, pruning_recent_n: 2, exempt_tool_names: ['chat_with_agent'] },
    } } } }
    expect(importConfig(json, defaults)).toEqual({
      changes: {
        max_input_length: 128_000, dialog_path: 'dialog', 'context_compact_config.enabled': true, compact_threshold_ratio: 0.8,
        reserve_threshold_ratio: 0.1, 'tool_result_pruning_config.enabled': false, pruning_recent_n: 2,
      },
      strategy: 'qwenpaw',
      unknown: [
        'agents.running.light_context_config.context_compact_config.compact_with_thinking_block',
        'agents.running.light_context_config.tool_result_pruning_config.exempt_tool_names',
      ],
      problems: [],
    })
  })

  it('understands the shape of CoPaw and the flat one of CowAgent', () => {
    const copaw = { agents: { running: { max_input_length: 128_000, memory_compact_ratio: 0.7, memory_reserve_ratio: 0.1, enable_tool_result_compact: true, tool_result_compact_keep_n: 3 } } }
    expect(importConfig(copaw, defaultsOf('copaw')).changes).toEqual(copaw.agents.running)
    const cowagent = { channel_type: 'web', model: 'x', agent_max_context_tokens: 64_000, agent_max_context_turns: 30, agent_max_steps: 30 }
    const report = importConfig(cowagent, defaultsOf('cowagent'))
    expect(report.changes).toEqual({ agent_max_context_tokens: 64_000, agent_max_context_turns: 30, agent_max_steps: 30 })
    expect(report.unknown).toEqual(['channel_type', 'model'])
  })

  it('takes the rest where something is wrong, and says what', () => {
    const report = importConfig({ pruning_recent_n: 'many', reserve_threshold_ratio: 0.3, compact_threshold_ratio: 0.2, max_input_length: 5_000 }, defaults)
    expect(report.changes).toEqual({ max_input_length: 5_000 })
    expect(report.problems).toHaveLength(2)
  })

  it.each([[null], [[]], ['text'], [3]])('says of %j that it is no object', json => {
    expect(importConfig(json, defaults).problems).toHaveLength(1)
  })
})
