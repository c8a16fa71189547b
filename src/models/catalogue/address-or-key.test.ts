import { describe, expect, it } from 'vitest'
import { readAccess, type TypedAccess } from './address-or-key.ts'
import { presets } from './catalog.ts'
import { keyOwners, keyServices } from './key-forms.ts'

const tail = 'A1b2C3d4E5f6A7b8C9d0E1f2A3b4C5d6E7f8A9b0C1d2E3f4'
const addresses = (text: string, page = 'http:'): readonly string[] | string => {
  const read = readAccess(text, page)
  return read.type === 'address' ? read.baseUrls : read.type
}
const owners = (text: string): readonly string[] | string => {
  const read = readAccess(text, 'https:')
  return read.type === 'key' ? read.owners.map(({ id }) => id) : read.type
}

describe('what was typed where an address and a key are both welcome', () => {
  it('gets http first on this machine and in the own network, https on the internet, and then the other', () => {
    expect(addresses('localhost:8080')).toEqual(['http://localhost:8080', 'https://localhost:8080'])
    expect(addresses(' nas.local:1234/v1 ')).toEqual(['http://nas.local:1234/v1', 'https://nas.local:1234/v1'])
    expect(addresses('192.168.1.7:11434')).toEqual(['http://192.168.1.7:11434', 'https://192.168.1.7:11434'])
    expect(addresses('nas')).toEqual(['http://nas', 'https://nas'])
    expect(addresses('[::1]:8080')).toEqual(['http://[::1]:8080', 'https://[::1]:8080'])
    expect(addresses('llm.example.com/v1')).toEqual(['https://llm.example.com/v1', 'http://llm.example.com/v1'])
    expect(addresses('localhost：8080')).toEqual(['http://localhost:8080', 'https://localhost:8080'])
  })

  it('keeps a scheme that was typed, and asks nothing over http on the internet from a page over https', () => {
    expect(addresses('http://llm.example.com')).toEqual(['http://llm.example.com'])
    expect(addresses('https://localhost:8443/v1')).toEqual(['https://localhost:8443/v1'])
    expect(addresses('llm.example.com', 'https:')).toEqual(['https://llm.example.com'])
    expect(addresses('nas.local:443')).toEqual(['https://nas.local:443'])
    expect(addresses('localhost:8080', 'https:')).toHaveLength(2)
  })

  it('names the one service that a key belongs to by its form, and all where several fit', () => {
    expect(owners(`sk-ant-api03-${tail}`)).toEqual(['anthropic'])
    expect(owners(`sk-or-v1-${tail}`)).toEqual(['openrouter'])
    expect(owners(`sk-proj-${tail}`)).toEqual(['openai'])
    expect(owners(`sk-svcacct-${tail}`)).toEqual(['openai'])
    expect(owners('sk-abcdefghij1234567890T3BlbkFJabcdefghij1234567890')).toEqual(['openai'])
    expect(owners('AIzaSyA1b2C3d4E5f6A7b8C9d0E1f2A3b4C5d6E')).toEqual(['google'])
    expect(owners(`AQ.Ab8RN6${tail}`)).toEqual(['google'])
    expect(owners(`gsk_${tail}`)).toEqual(['groq'])
    expect(owners(`xai-${tail}`)).toEqual(['xai'])
    expect(owners(`hf_${tail}`)).toEqual(['huggingface'])
    expect(owners(`csk-${tail}`)).toEqual(['cerebras'])
    expect(owners('sk-0123456789abcdef0123456789abcdef')).toEqual(['openai', 'deepseek'])
  })

  it('takes along what people copy around a key', () => {
    const key = `sk-ant-api03-${tail}`
    for (const text of [`"${key}"`, `Bearer ${key}`, `ANTHROPIC_API_KEY=${key}`, `export ANTHROPIC_API_KEY="${key}";`])
      expect(readAccess(text, 'https:')).toMatchObject({ type: 'key', key })
  })

  it('never takes for an address what may be a key of any form', () => {
    for (const text of [
      tail,
      tail.toLowerCase(),
      '0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp',
      'abcd/efgh1234ijkl5678mnop+qrst==',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIzNA',
      'pplx-a1b2c3d4e5f6a7b8c9d0e1f2',
    ])
      expect(owners(text), text).toEqual([])
  })

  it('says that it cannot read the rest', () => {
    const unclear: TypedAccess = { type: 'unclear' }
    for (const text of ['what is this', 'ftp://example.com', 'http://me:secret@example.com', '???', 'a..b'])
      expect(readAccess(text, 'https:'), text).toEqual(unclear)
    expect(readAccess('  ', 'https:')).toEqual({ type: 'nothing' })
  })
})

describe('the services of keys', () => {
  it('are those of the catalogue that want one, and every form names some of them', () => {
    expect(keyServices.map(({ id }) => id)).toEqual(presets.filter(({ key }) => key === 'needed').map(({ id }) => id))
    expect(keyOwners('no key')).toEqual([])
    const named = ['sk-ant-', 'sk-or-', 'sk-proj-', 'sk-', 'AIza', 'gsk_', 'xai-', 'hf_', 'csk-'].flatMap(begin =>
      keyOwners(`${begin}abcdefgh12345678abcdefgh`).map(({ id }) => id),
    )
    expect(keyServices.filter(({ id }) => !named.includes(id)).map(({ id }) => id)).toEqual(['mistral'])
  })
})
