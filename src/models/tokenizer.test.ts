import { describe, expect, it } from 'vitest'
import { createTokenizer } from './tokenizer.ts'

describe('the tokenizer', () => {
  it('is absent until it is loaded, then counts special tokens as text', async () => {
    const tokenizer = createTokenizer()
    expect(tokenizer.count).toBeUndefined()
    await tokenizer.load()
    expect(tokenizer.count?.('hello world')).toBe(2)
    expect(tokenizer.count?.('<|endoftext|>')).toBeGreaterThan(1)
    expect(tokenizer.count?.('\ud800')).toBeGreaterThan(0)
  })
})
