import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../core/errors.ts'
import type { FolderFile, LocalModel } from '../../../core/ports/local-engine.ts'
import { localModel } from '../local-model.ts'
import { collectParts } from '../../model.laws.ts'
import { fileAt, testHost, shardCount, stateOf, tinyModel, totalBytes } from './webllm.fixture.ts'
import { folderFetch } from './webllm-folder.ts'
import { folderModel } from './webllm-list.ts'

const never = new AbortController().signal
const names = [
  'mlc-chat-config.json',
  'tensor-cache.json',
  'tokenizer.json',
  'tiny.wasm',
  ...Array.from({ length: shardCount }, (_, n) => `params_shard_${n}.bin`),
]
const filesOf = (wanted: readonly string[] = names): FolderFile[] =>
  wanted.map(name => ({ path: `Tiny-MLC/${name}`, bytes: new Blob([fileAt(name)!]) }))

const reasonOf = (task: Promise<unknown>): Promise<unknown> =>
  task.then(
    () => 'went well',
    (error: AgentError) => error.data['reason'],
  )

describe('a model from a folder of this device', () => {
  it('is copied, checked, and answers, and no host is asked', async () => {
    const { host, server } = testHost()
    const { model, files } = folderModel(filesOf(), 1_024)!
    await host.act({ type: 'import', model, files }, never)
    expect(stateOf(host).disk[model.id]).toMatchObject({ missing: [] })
    expect(stateOf(host).disk[model.id]!.bytes).toBeGreaterThan(totalBytes)
    expect((await collectParts(localModel(model, async () => host))).at(-1)?.type).toBe('finish')
    expect(server.asked).toEqual([])
    await host.act({ type: 'delete', model, others: [] }, never)
    expect(stateOf(host).disk[model.id]?.bytes).toBe(0)
  })

  it('says what the folder lacks, and takes it from the folder that is chosen again; a download says to choose it', async () => {
    const { host, server } = testHost()
    const lacking = folderModel(filesOf(names.filter(name => name !== 'params_shard_3.bin')), 1_024)!
    expect(await reasonOf(host.act({ type: 'import', ...lacking }, never))).toBe('not-downloaded')
    expect(stateOf(host).work).toMatchObject({
      state: 'failed',
      problem: { message: 'The folder has no params_shard_3.bin.' },
    })
    expect(await reasonOf(host.act({ type: 'repair', model: lacking.model }, never))).toBe('not-downloaded')
    const whole = folderModel(filesOf(), 1_024)!
    await host.act({ type: 'import', ...whole }, never)
    expect(stateOf(host).disk[whole.model.id]?.missing).toEqual([])
    expect(server.asked).toEqual([])
  })

  it('keeps no file that is not what the list of weights says', async () => {
    const { host } = testHost()
    const files = filesOf().map(file =>
      file.path.endsWith('shard_2.bin') ? { ...file, bytes: new Blob(['something else']) } : file,
    )
    const found = folderModel(files, 1_024)!
    expect(await reasonOf(host.act({ type: 'import', ...found }, never))).toBe('damaged')
    expect(stateOf(host).disk[found.model.id]?.missing).toContain('weights')
  })

  it('may have a name with a stray percent sign', async () => {
    const asked = folderFetch(
      { ...tinyModel.webllm!, weights: 'https://a.example/' },
      [{ path: '100%.bin', bytes: new Blob(['x']) }],
      () => Promise.reject(new Error('asked elsewhere')),
    )
    expect(await (await asked('https://a.example/100%.bin', never)).text()).toBe('x')
  })

  it('of a model with addresses fetches what the folder lacks', async () => {
    const { host, server } = testHost()
    const listed: LocalModel = { ...tinyModel, webllm: { ...tinyModel.webllm! } }
    const files = filesOf(names.filter(name => !/wasm|shard_3/.test(name))).map(({ path, bytes }) => ({
      path: path.slice('Tiny-MLC/'.length),
      bytes,
    }))
    await host.act({ type: 'import', model: listed, files }, never)
    expect(stateOf(host).disk[listed.id]?.missing).toEqual([])
    expect(server.asked.map(url => url.split('/').at(-1)).toSorted()).toEqual(['params_shard_3.bin', 'tiny.wasm'])
  })
})
