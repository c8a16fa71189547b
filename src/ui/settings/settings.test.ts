import { expect, it } from 'vitest'
import { isSafari } from '../local-models/device.ts'
import { serverFieldsOf, isBlockedAsInsecure, serverOf, type ServerFields } from '../servers/server-fields.ts'

const fields: ServerFields = {
  name: 'Mine',
  baseUrl: ' http://localhost:8080/v1 ',
  key: '',
  headers: '',
  window: '',
  models: '',
  prices: '',
  output: '',
}

it('reads what was typed', () => {
  const { server, wrong } = serverOf('s1', {
    ...fields,
    key: ' k ',
    headers: 'X-One: 1\n\nX-Two:  two words ',
    window: '32 768',
    models: 'a, b\nc',
  })
  expect(wrong).toEqual([])
  expect(server).toEqual({
    id: 's1',
    name: 'Mine',
    baseUrl: 'http://localhost:8080/v1',
    key: 'k',
    headers: { 'X-One': '1', 'X-Two': 'two words' },
    contextWindow: 32_768,
    models: ['a', 'b', 'c'],
  })
})

it('sends no key where none was typed, so that a kept one stays', () => {
  expect('key' in serverOf('s1', fields).server).toBe(false)
  expect(serverFieldsOf({ id: 's1', name: 'Mine', baseUrl: 'x', hasKey: true, models: [] }).key).toBe('')
})

it('names the fields that cannot be right', () => {
  for (const baseUrl of ['', 'http://', 'no address', 'mailto://x y'])
    expect(serverOf('s', { ...fields, baseUrl }).wrong, baseUrl).toEqual(['baseUrl'])
  expect(serverOf('s', { ...fields, baseUrl: 'ftp://x/' }).wrong).toEqual(['baseUrl'])
  expect(serverOf('s', { ...fields, headers: 'no header' }).wrong).toEqual(['headers'])
  expect(serverOf('s', { ...fields, headers: 'Bad Name: x' }).wrong).toEqual(['headers'])
  for (const window of ['-1', '12', 'many', '1e9', '0x10'])
    expect(serverOf('s', { ...fields, window }).wrong).toEqual(['window'])
})

it('reads an address as it is meant', () => {
  const meant = {
    'localhost:5625': 'http://localhost:5625',
    '192.168.1.4:1234/v1': 'http://192.168.1.4:1234/v1',
    'nas:8080': 'http://nas:8080',
    'box.local/v1': 'http://box.local/v1',
    '//localhost/v1': 'http://localhost/v1',
    '[::1]:8080': 'http://[::1]:8080',
    'api.example.com/v1': 'https://api.example.com/v1',
    'http：／／localhost：8080／v1': 'http://localhost:8080/v1',
    ' HTTPS://x.example ': 'HTTPS://x.example',
  }
  for (const [typed, address] of Object.entries(meant)) {
    expect(serverOf('s', { ...fields, baseUrl: typed }), typed).toMatchObject({
      wrong: [],
      server: { baseUrl: address },
    })
  }
})

it('reads prices, and writes them as they are read', () => {
  const { server, wrong } = serverOf('s', { ...fields, prices: 'gpt-4.1 2 8 0,5\n\n * $0.1  $0.4' })
  expect(wrong).toEqual([])
  expect(server.prices).toEqual({
    'gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
    '*': { input: 0.1, output: 0.4 },
  })
  expect(serverFieldsOf(server).prices).toBe('gpt-4.1 2 8 0.5\n* 0.1 0.4')
  for (const prices of ['gpt', 'gpt 1', 'gpt -1 2', '1 2', 'gpt 1 2 3 4'])
    expect(serverOf('s', { ...fields, prices }).wrong).toEqual(['prices'])
})

it('calls a server without a name by its host', () => {
  expect(serverOf('s', { ...fields, name: ' ' }).server.name).toBe('localhost:8080')
})

it('gives the typed fields back', () => {
  const server = {
    id: 's',
    name: 'N',
    baseUrl: 'https://h/v1',
    headers: { A: 'b' },
    contextWindow: 4096,
    models: ['m'],
  }
  expect(serverFieldsOf(server)).toEqual({
    name: 'N',
    baseUrl: 'https://h/v1',
    key: '',
    headers: 'A: b',
    window: '4096',
    models: '',
    prices: '',
    output: '',
  })
})

it('warns of plain http from a page over https, this computer excepted', () => {
  expect(isBlockedAsInsecure('https:', 'http://192.168.1.2:8080/v1')).toBe(true)
  for (const url of [
    'http://localhost:1/v1',
    'http://127.0.0.1/v1',
    'http://[::1]:8/v1',
    'https://host/v1',
    'nonsense',
  ])
    expect(isBlockedAsInsecure('https:', url)).toBe(false)
  expect(isBlockedAsInsecure('http:', 'http://192.168.1.2/v1')).toBe(false)
})

it('knows the browsers that delete after seven days', () => {
  expect(
    isSafari(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    ),
  ).toBe(true)
  expect(
    isSafari(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe(true)
  expect(
    isSafari('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'),
  ).toBe(false)
  expect(isSafari('Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0')).toBe(false)
})

it('an output limit is a number for all models, or one for each', () => {
  const { server, wrong } = serverOf('s', { ...fields, output: '16_384\nqwen3:8b 4096' })
  expect(wrong).toEqual([])
  expect(server.outputLimits).toEqual({ '*': 16_384, 'qwen3:8b': 4096 })
  expect(serverFieldsOf(server).output).toBe('16384\nqwen3:8b 4096')
  for (const output of ['many', 'a b c', '0', '-5', '3.5'])
    expect(serverOf('s', { ...fields, output }).wrong).toEqual(['output'])
})
