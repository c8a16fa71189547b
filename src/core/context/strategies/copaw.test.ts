import { expect, it } from 'vitest'
import { defaultsOf } from '../config.ts'
import { assistant, envOf, logOf, result, user } from '../context.fixture.ts'
import { prepare } from '../prepare.ts'
import { copaw } from './copaw.ts'

it('shortens older results to the characters that are set, 1 000 unless set, and only where it is switched on', async () => {
  const log = logOf([user('Look'), ...Array.from({ length: 7 }, (_, n) => [assistant('', [[`c${n}`, 'web', '{}']]), result(`c${n}`, 'x'.repeat(1_500))]).flat(), assistant('Done')])
  const limits = async (changes: object): Promise<unknown[]> => {
    const added = await prepare(log, copaw({ ...defaultsOf('copaw'), ...changes }).onCall ?? [], envOf({ contextWindow: 100_000 }))
    return added.map(entry => entry.type === 'shorten' ? `${entry.keep} ${entry.unit}, ${entry.headShare} %` : entry.type)
  }
  expect(await limits({})).toEqual([])
  expect(await limits({ enable_tool_result_compact: true })).toEqual(['1000 chars, 50 %', '1000 chars, 50 %'])
  expect(await limits({ enable_tool_result_compact: true, tool_result_compact_max_chars: 400 })).toEqual(['400 chars, 50 %', '400 chars, 50 %'])
  expect(await limits({ enable_tool_result_compact: true, tool_result_compact_max_chars: 1_500 })).toEqual([])
})
