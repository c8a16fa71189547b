import { expect, it } from 'vitest'
import { firstBlank, matchingCommands, offeredName, promptIn, withoutCommands } from './matching-commands.ts'

const prompt = (name: string, text: string) => ({ name, path: `workspace/prompts/${name}.md`, text, revision: 1 })
const prompts = [prompt('fix-typos', 'Mend the spelling.\nNothing else.'), prompt('日报', '写今天的日报。')]

it('offers prompts behind commands that begin alike, with their first line', () => {
  expect(matchingCommands('fix', prompts)).toMatchObject([
    { name: 'fix-typos', description: { en: 'Mend the spelling.' } },
  ])
  expect(matchingCommands('日', prompts).map(({ name }) => name)).toEqual(['日报'])
  expect(matchingCommands('', prompts).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['help', 'fix-typos', '日报']),
  )
  expect(matchingCommands('', prompts).at(-1)?.name).toBe('日报')
})

it('finds a command by either of its names, and writes the one that is being typed', () => {
  const found = (start: string) => matchingCommands(start).map(({ name }) => name)
  expect(found('新')).toEqual(['new'])
  expect(found('出')).toEqual(['export'])
  const offered = (start: string, language: 'en' | 'zh') => offeredName(matchingCommands(start)[0]!, start, language)
  expect([offered('新', 'en'), offered('新', 'zh'), offered('ne', 'zh'), offered('', 'zh'), offered('', 'en')]).toEqual(
    ['新对话', '新对话', 'new', '帮助', 'help'],
  )
})

it('lets no prompt stand for a command', () => {
  expect(withoutCommands([prompt('Help', 'x'), prompt('helpful', 'y')]).map(({ name }) => name)).toEqual(['helpful'])
})

it('puts in the prompt with the words behind its name, and nothing for other lines', () => {
  expect(promptIn('/fix-typos', prompts)).toBe('Mend the spelling.\nNothing else.')
  expect(promptIn('/FIX-typos  in this:\n a b ', prompts)).toBe('Mend the spelling.\nNothing else.\n\nin this:\n a b')
  expect([promptIn('/fix', prompts), promptIn('fix-typos', prompts), promptIn('//fix-typos', prompts)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('finds the first blank to fill', () => {
  expect(firstBlank('To {{name}} of {{firm}}')).toEqual([3, 11])
  expect(firstBlank('f({ a: {} })')).toBeUndefined()
})
