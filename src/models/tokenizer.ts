/** Exact counting of tokens (C1.3), loaded when it is first wanted. Slicing is the caller's. */
import type { Tokenizer } from '../core/ports/ports.ts'

/** gpt-tokenizer with o200k_base: 1 MB gzip and about a quarter second, so never before it is needed. */
export function createTokenizer(): Tokenizer {
  let loading: Promise<void> | undefined
  const tokenizer: Tokenizer = {
    count: undefined,
    load() {
      loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
        // Without this the library throws on texts such as <|endoftext|>, which for us are ordinary text.
        const options = { disallowedSpecial: new Set<string>() }
        tokenizer.count = text => countTokens(text, options)
      })
      loading.catch(() => {
        loading = undefined
      }) // offline before it was cached: asked again next time
      return loading
    },
  }
  return tokenizer
}
