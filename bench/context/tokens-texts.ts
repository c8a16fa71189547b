/** Texts for the counters: of this project, and made ones where it has none of a kind. Always the same. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { factAt } from '../chats/long-chat.ts'

const root = new URL('../../', import.meta.url)

/** Pieces of 1 to 4 kB, at least eight of each kind. */
export function textsByKind(): Record<string, string[]> {
  return {
    'English prose': pieces(files('docs/decisions', '.md').join('\n'), 1_200),
    'Chinese prose': pieces(chinese(), 1_200),
    code: pieces(
      files('src/core/context', '.ts')
        .filter(text => !/[\u3400-\u9fff]/.test(text))
        .join('\n'),
    ),
    JSON: pieces(files('src/core/context', '.json').join('\n')),
    'tool output': Array.from({ length: 16 }, (_, at) => textAt(at * 4 + 2).repeat(2)),
    'chat about code': Array.from({ length: 16 }, (_, at) => textAt(at * 4 + 3)),
    base64: Array.from({ length: 8 }, (_, at) => Buffer.from(chance(1_500, at + 1)).toString('base64')),
    hex: Array.from({ length: 8 }, (_, at) => Buffer.from(chance(1_000, at + 99)).toString('hex')),
    emoji: Array.from({ length: 8 }, (_, at) =>
      chance(400, at + 7)
        .map(one => 0x1f300 + one)
        .reduce((text, point) => text + String.fromCodePoint(point), ''),
    ),
  }
}

/** 100 000 UTF-16 units each of what tokenizers are slow at. */
export function hostileTexts(): Record<string, string> {
  const units: Record<string, string> = {
    'one letter': 'a',
    blanks: ' ',
    newlines: '\n',
    digits: '7',
    'one Chinese character': '好',
    emoji: '🧳',
    'lone surrogates': '\ud800',
    NUL: '\0',
    'special tokens': '<|endoftext|>',
    'mixed signs': '.,;!?',
    capitals: 'AbCdEf',
  }
  const made = Object.entries(units).map(
    ([kind, unit]) => [kind, unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000)] as const,
  )
  return Object.fromEntries([
    ...made,
    ['prose', pieces(files('docs/decisions', '.md').join('\n').repeat(20), 100_000)[0] ?? ''],
  ])
}

function textAt(at: number): string {
  return factAt(at).text
}

function files(folder: string, ending: string): string[] {
  const url = new URL(`${folder}/`, root)
  return readdirSync(url, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending) && !/^(steps|strategies)\/|\.fixtures\//.test(name))
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map(name => readFileSync(new URL(name, url), 'utf8'))
}

/** All Chinese that the project says: prompts, words of commands and of the screen. */
function chinese(): string {
  const sources = [
    'src/core/context/summary/extract.fixtures/meeting-zh.jsonl',
    'src/core/context/summary/prompts.ts',
    'src/ui/i18n/zh/chat-zh.ts',
    'src/ui/i18n/zh/app-zh.ts',
    'src/ui/i18n/zh/notices-zh.ts',
    'src/ui/i18n/zh/error-titles-zh.ts',
    'src/ui/i18n/zh/pages-zh.ts',
  ]
  return sources
    .flatMap(
      file =>
        readFileSync(new URL(file, root), 'utf8').match(
          /[\u3000-\u303f\u3400-\u9fff\uff00-\uffef][^\n'"`]*[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/g,
        ) ?? [],
    )
    .join('\n')
}

function pieces(text: string, size = 3_000): string[] {
  return Array.from({ length: Math.min(16, Math.floor(text.length / size)) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  )
}

/** Bytes that look like chance, by a linear rule. */
function chance(count: number, seed: number): number[] {
  let state = (seed * 2_654_435_761) >>> 0
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}
