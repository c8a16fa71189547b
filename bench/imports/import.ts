/**
 * `npm run --silent import -- FILE… [--out FOLDER]`: what other apps' exports hold, as one JSON object, and their chats
 * as files of ours (C16).
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { countChats, type ChatCounts } from '../../src/core/imports/count-chats.ts'
import { noFindings } from '../../src/core/imports/file-of-chats.ts'
import { mergeChats } from '../../src/core/imports/merge-chats.ts'
import { ourLines } from '../../src/core/imports/our-lines.ts'
import {
  chatsOf,
  fileFinder,
  filesOfChat,
  groupsOf,
  isReadableExport,
  type ExportGroup,
  type SourceFile,
} from '../../src/core/imports/read-export.ts'
import type { ForeignChat } from '../../src/core/imports/shape/foreign-chat.ts'
import type { Findings } from '../../src/core/imports/shape/reader.ts'
import type { ForeignApp } from '../../src/core/log/file-format/foreign-export.ts'
import { BadUsage } from '../shared/bad-usage.ts'
import { filesAt } from './disk-files.ts'
import { ownChats } from './own-chats.ts'

const usage = 'usage: import FILE… [--out FOLDER]; FILE is a file, a folder or a ZIP'

/** An export as the command prints it. `format`: undefined for what is no export that is known. */
export type Row = { file: string; format?: string; unreadable?: true } & Partial<ChatCounts & Findings>

export type Outcome = { files: Row[]; isWhole: boolean }

/** The names of the formats, where they are not those of the programs. */
const formatNames: Partial<Record<ForeignApp, string>> = { 'llama-cpp-ui': 'llama.cpp-ui' }

/** Reads what was given. Throws BadUsage where a file cannot be opened or no folder made. */
export async function readAll(paths: readonly string[], out?: string): Promise<Outcome> {
  const rows: Row[] = []
  for (const given of together(await Promise.all(paths.map(opened)))) {
    for (const group of await groupsOf(given.files)) rows.push(await rowOf(given, group, out))
  }
  return { files: rows, isWhole: rows.every(({ format, unreadable }) => format !== undefined && unreadable !== true) }
}

type Given = { path: string; name: string; files: SourceFile[]; isOne: boolean }

async function opened(path: string): Promise<Given> {
  try {
    const files = await filesAt(path)
    return { path, name: path, files, isOne: files.length === 1 && files[0]!.path === basename(path) }
  } catch (error) {
    throw new BadUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Parts of one export, given one by one: ChatGPT writes its chats into many files of one folder. */
function together(given: readonly Given[]): Given[] {
  const found: Given[] = []
  for (const one of given) {
    const isPart = one.isOne && /^conversations-\d+\.json$/.test(basename(one.path))
    const before = found.find(
      ({ path, isOne }) =>
        isPart && isOne && dirname(path) === dirname(one.path) && /^conversations-\d+\.json$/.test(basename(path)),
    )
    if (before === undefined) found.push({ ...one })
    else {
      before.files.push(...one.files)
      before.name += `, ${one.name}`
    }
  }
  return found
}

async function rowOf({ name }: Given, group: ExportGroup, out: string | undefined): Promise<Row> {
  const { of } = group
  if (of === undefined) return { file: name }
  if (of === 'haversack') return ownRow(name, group, out)
  if (!isReadableExport(of)) return { file: name, format: of, unreadable: true }
  const findings = noFindings()
  const chats: ForeignChat[] = []
  for await (const chat of chatsOf(of, group, findings)) chats.push(chat)
  const merged = mergeChats(chats, findings)
  const find = fileFinder(group.beside)
  if (out !== undefined)
    for (const chat of merged) await writeChat(out, ourLines(of, chat, { beside: await filesOfChat(chat, find) }))
  return {
    file: name,
    format: formatNames[of] ?? of,
    ...countChats(merged, ref => find(ref) !== undefined),
    ...findings,
  }
}

async function ownRow(name: string, { files }: ExportGroup, out: string | undefined): Promise<Row> {
  const findings = noFindings()
  const chats: ForeignChat[] = []
  for (const { file } of files) {
    let text = ''
    for await (const part of file.text()) text += part
    const own = ownChats(text, findings)
    chats.push(...own.map(({ chat }) => chat))
    if (out !== undefined) for (const { lines } of own) await writeChat(out, lines)
  }
  return { file: name, format: 'haversack', ...countChats(chats), ...findings }
}

/** A file of its own, named by the chat's id. */
async function writeChat(folder: string, lines: readonly string[]): Promise<void> {
  const { id } = JSON.parse(lines[0]!) as { id: string }
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${id.replace(/[^\w.-]/g, '_')}.jsonl`), `${lines.join('\n')}\n`)
  } catch (error) {
    throw new BadUsage(`${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Runs the command; answers with what goes to stdout, and with its exit code. Throws BadUsage. */
export async function run(args: readonly string[]): Promise<{ text: string; exitCode: number }> {
  const { paths, out } = readArgs(args)
  const { files, isWhole } = await readAll(paths, out)
  return { text: JSON.stringify({ files }, null, 2), exitCode: isWhole ? 0 : 3 }
}

function readArgs(args: readonly string[]): { paths: string[]; out: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: { type: 'string' } },
    })
    if (positionals.length === 0 || values.out === '') throw new BadUsage(usage)
    return { paths: positionals, out: values.out }
  } catch (error) {
    throw error instanceof BadUsage ? error : new BadUsage(usage)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { text, exitCode } = await run(process.argv.slice(2))
    process.stdout.write(`${text}\n`)
    process.exitCode = exitCode
  } catch (error) {
    if (!(error instanceof BadUsage)) throw error
    process.stderr.write(`${error.message.replace(/\s+/g, ' ')}\n`)
    process.exitCode = 2
  }
}
