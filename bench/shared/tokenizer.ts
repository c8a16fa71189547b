/** Exact token counts in Node, for the benchmarks. */

/** Counts tokens of o200k_base; special tokens are plain text. Loaded on the first call: it is large. */
export async function o200kBase(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return text => countTokens(text, { disallowedSpecial: new Set() })
}
