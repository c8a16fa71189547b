/** What the message box offers for a line that begins with a slash. Loaded with the first slash. Pure. */
import { commandList, type CommandInfo } from '../../core/agent/commands/list.ts'
import type { Language } from '../../core/agent/api/api.ts'
import type { Prompt } from '../state/prompts.ts'

/** A command, or a prompt of the person's own, whose text is put into the box. */
export type Completion = CommandInfo & { prompt?: Prompt }

/** Those that begin with what was typed, commands first, then those that hold it. A command's name is no prompt's. */
export function matchingCommands(start: string, prompts: readonly Prompt[] = []): readonly Completion[] {
  const all: readonly Completion[] = [...commandList, ...withoutCommands(prompts).map(asCompletion)]
  const names = ({ name, zh }: Completion): string[] => [name.toLowerCase(), zh]
  const begins = all.filter(one => names(one).some(name => name.startsWith(start)))
  const holds = all.filter(one => start !== '' && names(one).some(name => name.includes(start)))
  return [...begins, ...holds.filter(one => !begins.includes(one))]
}

/**
 * The name that the list shows and puts into the line: Chinese on a Chinese screen, unless the person has begun to type
 * the other one.
 */
export function offeredName({ name, zh }: Completion, start: string, language: Language): string {
  const isLatin = /^[a-z_]+$/.test(start)
  return start === '' ? (language === 'zh' ? zh : name) : !isLatin && zh.includes(start) ? zh : name
}

/** The prompts that can be reached by their name. One that had the Chinese name of a command before keeps it. */
export function withoutCommands(prompts: readonly Prompt[]): readonly Prompt[] {
  const names = new Set(commandList.flatMap(({ name, also = [] }: CommandInfo) => [name, ...also]))
  return prompts.filter(({ name }) => !names.has(name.toLowerCase()))
}

function asCompletion(prompt: Prompt): Completion {
  const [line = ''] = prompt.text.split('\n', 1)
  return { name: prompt.name, zh: prompt.name, args: '', description: { en: line, zh: line }, prompt }
}

/**
 * What the box holds once the prompt that a line names was put in, with the words behind the name after it; undefined
 * where the line names none.
 */
export function promptIn(line: string, prompts: readonly Prompt[]): string | undefined {
  const [, name, words = ''] = /^\/(\S+)\s*([^]*)$/.exec(line) ?? []
  const prompt = prompts.find(one => one.name.toLowerCase() === name?.toLowerCase())
  return prompt && [prompt.text, words.trim()].filter(part => part !== '').join('\n\n')
}

/** The first blank of a text, `{{…}}`, as a range of UTF-16 units; undefined where it has none. */
export function firstBlank(text: string): [from: number, to: number] | undefined {
  const found = /\{\{[^{}\n]{1,80}\}\}/.exec(text)
  return found ? [found.index, found.index + found[0].length] : undefined
}
