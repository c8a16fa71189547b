import { afterAll, expect, it } from 'vitest'
import { browserLanguage, useLanguage, texts } from './texts.ts'
import { localEn } from './en/local-en.ts'
import { localZh } from './zh/local-zh.ts'
import { memoryEn } from './en/memory-en.ts'
import { memoryZh } from './zh/memory-zh.ts'
import { pagesEn as moreEn } from './en/pages-en.ts'
import { pagesZh as moreZh } from './zh/pages-zh.ts'

afterAll(() => useLanguage('en'))

it('speaks the first language of the browser that it knows', () => {
  expect(browserLanguage(['de-AT', 'zh-TW', 'en'])).toBe('zh')
  expect(browserLanguage(['en-GB', 'zh'])).toBe('en')
  expect(browserLanguage(['fr'])).toBe('en')
  expect(browserLanguage([])).toBe('en')
})

it('has no English left in the Chinese texts, and the other way round', async () => {
  const english = flat({ ...texts(), explain: '', more: moreEn, local: localEn, memory: memoryEn })
  await useLanguage('zh')
  const chinese = flat({ ...texts(), explain: '', more: moreZh, local: localZh, memory: memoryZh })
  expect([...chinese.keys()]).toEqual([...english.keys()])
  const han = /\p{Script=Han}/u
  // Names that a Chinese reader writes the same way: of things, of commands, of a key, and the word "token".
  const names = /appName|enterKey|strategies\.\w+\.title|languages|^language$/
  const foreign = (text: string) => /[A-Za-z]{4,}/.test(text.replaceAll(/\btokens?\b|\/[a-z]+/gi, ''))
  for (const [key, text] of english) if (!/languages/.test(key)) expect(han.test(text), key).toBe(false)
  const untranslated = [...chinese]
    .filter(([key, text]) => foreign(text) && !han.test(text) && !names.test(key))
    .map(([key, text]) => `${key}: ${text}`)
  expect(untranslated).toEqual([])
})

it('says in Chinese why something is not there any more', async () => {
  await useLanguage('zh')
  for (const told of [
    texts().chat.gone('2026-01-31', 'by the 5-day rule'),
    moreZh.removedOn('2026-01-31', 'by the 5-day rule'),
  ])
    expect(told).toBe('已于 2026-01-31 移除：按 5 天的规则清理')
  expect(texts().chat.gone('2026-01-31', 'deleted')).toBe('已于 2026-01-31 移除：由你删除')
})

/** Every text by its path; functions are called with plain arguments. */
function flat(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'string') found.set(path, value)
  else if (typeof value === 'function')
    found.set(
      path,
      String((value as (...args: unknown[]) => unknown)(...Array.from({ length: value.length }, () => 2))),
    )
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) flat(inner, path === '' ? key : `${path}.${key}`, found)
  return found
}
