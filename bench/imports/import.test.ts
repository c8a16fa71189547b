import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { sessionLine } from '../../src/core/log/file-format/jsonl.ts'
import { BadUsage } from '../shared/bad-usage.ts'
import { run } from './import.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-'))
function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

const node = (id: string, parent: string | null, role: string, text: string) => ({
  [id]: {
    id,
    parent,
    children: [],
    message: { id, author: { role }, content: { content_type: 'text', parts: [text] } },
  },
})
const chat = (id: string, update_time: number, extra: object = {}) => ({
  conversation_id: id,
  title: `Chat ${id}`,
  create_time: 1_700_000_000,
  update_time,
  current_node: 'a',
  mapping: { ...node('u', null, 'user', 'Why?'), ...node('a', 'u', 'assistant', 'Because.'), ...extra },
})
const rows = async (...args: string[]) => {
  const { text, exitCode } = await run(args)
  return { exitCode, files: (JSON.parse(text) as { files: Record<string, unknown>[] }).files }
}

describe('import', () => {
  it('counts an export, also in a folder or a ZIP, with what lies beside it', async () => {
    const text = JSON.stringify([
      chat('one', 1_700_000_100),
      chat('two', 1_700_000_200, node('b', 'u', 'assistant', 'Or not.')),
      { conversation_id: 'three', mapping: null },
    ])
    const paths = [
      written('plain/conversations.json', text),
      join(written('folder/conversations.json', text), '..'),
      written('all.zip', zipSync({ 'conversations.json': strToU8(text), 'user.json': strToU8('{}') })),
    ]
    const { files, exitCode } = await rows(...paths)
    expect(exitCode).toBe(0)
    expect(files.map(({ file }) => file)).toEqual(paths)
    for (const row of files)
      expect(row).toMatchObject({
        format: 'chatgpt',
        chats: 2,
        messages: 5,
        branches: 3,
        activePath: 4,
        titles: ['Chat one', 'Chat two'],
        skipped: [{ id: 'three' }],
      })
  })

  it('parts of one export are one row, and a chat in two of them is one', async () => {
    const { files } = await rows(
      written('parts/conversations-000.json', JSON.stringify([chat('same', 1_700_000_100)])),
      written(
        'parts/conversations-001.json',
        JSON.stringify([chat('same', 1_700_000_900, node('u2', 'a', 'user', 'Thanks.')), chat('other', 1)]),
      ),
    )
    expect(files).toHaveLength(1)
    expect(files[0]).toMatchObject({ chats: 2, messages: 5, merged: [{ id: 'same' }] })
  })

  it('writes each chat as a file of ours, which it reads again', async () => {
    const out = join(folder, 'out')
    await rows(written('write.json', JSON.stringify([chat('one', 1), chat('two', 2)])), '--out', out)
    const names = readdirSync(out)
    expect(names).toHaveLength(2)
    expect(readFileSync(join(out, names[0]!), 'utf8').split('\n')[0]).toContain('"harness":"haversack"')
    const { files } = await rows(...names.map(name => join(out, name)))
    for (const row of files) expect(row).toMatchObject({ format: 'haversack', chats: 1, messages: 2, branches: 1 })
  })

  it('ends with 3 for what no reader knows, told by its name, and reads the others', async () => {
    const { files, exitCode } = await rows(
      written('grok.json', JSON.stringify({ conversations: [{ conversation: {}, responses: [] }] })),
      written('poem.txt', 'Roses'),
      written('ours.jsonl', sessionLine({ id: 's', name: 'Ours', createdAt: 1 })),
    )
    expect(exitCode).toBe(3)
    expect(files).toMatchObject([{ format: 'grok', unreadable: true }, {}, { format: 'haversack', titles: ['Ours'] }])
    expect(files[1]).not.toHaveProperty('format')
  })

  it('is told how to be used', async () => {
    for (const args of [[], ['--out', ''], ['a.json', '--wrong'], [join(folder, 'nowhere.json')]])
      await expect(run(args)).rejects.toBeInstanceOf(BadUsage)
  })
})
