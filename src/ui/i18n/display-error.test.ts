import { afterEach, expect, it } from 'vitest'
import { codes } from '../../core/errors.ts'
import { explainError, errorDetails, adjustedForOffline } from './display-error.ts'
import { useLanguage, texts } from './texts.ts'
import { transferTexts } from './transfer.ts'

afterEach(() => useLanguage('en'))

it('leaves an English message as it is, with no second wording to unfold', () => {
  expect(explainError({ code: 'model_auth', message: 'Workshop wants a key (HTTP 401).' })).toEqual({
    text: 'Workshop wants a key (HTTP 401).',
  })
})

it('says in Chinese what came in English, with its names and numbers, and keeps the original', async () => {
  await useLanguage('zh')
  const message = '模型没有回答：Workshop wants a key (HTTP 401). It says: Incorrect API key provided.'
  const said = explainError({ code: 'model_auth', message, data: { server: 'Workshop', status: 401 } })
  expect(said.text).toContain('Workshop')
  expect(said.text).toContain('401')
  expect(said.text).toContain('密钥')
  expect(said.original).toBe(message)
})

it('leaves a message that is Chinese already, whatever names it holds', async () => {
  await useLanguage('zh')
  for (const message of [
    '模型连续两次返回了空回答。',
    '没有名为 deepseek-r1 的模型，相近的有：deepseek-chat、qwen3 4b',
    '服务器要求等待 20 秒，稍后可手动重试。',
  ]) {
    expect(explainError({ code: 'bad_input', message })).toEqual({ text: message })
  }
})

it('has a Chinese sentence for every error, and none of them needs data', async () => {
  await useLanguage('zh')
  const noErrors =
    /^(stopped|denied|model_empty|command|compacted|compact_|summary_|over_|window_|overflow_|suspect_|restored|held_|retry|loop_|step_|thought_|tools_|small_|pins_|sent_|imported)/
  for (const code of codes.filter(code => !noErrors.test(code))) {
    const sentence = texts().explain(code, {})
    expect(sentence, code).toMatch(/\p{Script=Han}{4}/u)
    expect(sentence, code).not.toMatch(/undefined|NaN|null/)
  }
})

it('takes a part that could not be loaded for a new version only where there is a network', () => {
  const lost = { code: 'new_version', message: 'Failed to fetch dynamically imported module: x' } as const
  expect(adjustedForOffline(lost, true)).toBe(lost)
  expect(adjustedForOffline(lost, false)).toMatchObject({ code: 'network', message: texts().app.partOffline })
})

it('says in Chinese why a line could not be imported, and leaves what it does not know', async () => {
  await useLanguage('zh')
  const said = (reason: string) => transferTexts().importProblem(1_234, reason)
  expect(said('message.content is missing')).toBe('第 1,234 行：缺少 message.content')
  expect(said('message is not an object')).toContain('message 应为对象')
  expect(said('not JSON: Unexpected token')).toContain('不是有效的 JSON（Unexpected token）')
  expect(said('7 more lines could not be read')).toContain('另有 7 行无法读取')
  expect(said('1 result answers no call; kept, but not sent to the model')).toContain('1 个结果没有对应的调用')
  expect(said('2 messages are older than the one before; kept in the order of the file')).toContain(
    '2 条消息比前一条还早',
  )
  expect(said('follows m77, which is not there; put behind the entry before it')).toContain('它接在 m77 之后')
  expect(said('the id m1 comes twice in this file; this entry was taken under a new one')).toContain('使用 id m1')
  expect(said('"../x" is no path of a document')).toContain('“../x”不是文档的路径')
  expect(said('MEMORY.md has 2000000 bytes; only one of up to 1000000 is proposed')).toContain('2000000 字节')
  expect(said('taken, without fields that are not known: message.mood')).toContain('message.mood')
  expect(said('something else')).toContain('something else')
})

it('names the numbers that a person can use, and no others', () => {
  expect(
    errorDetails({ code: 'model_overflow', message: '', data: { window: 8192, kind: 'overflow_prompt', body: 'x' } }),
  ).toEqual([['Window', 8192]])
})
