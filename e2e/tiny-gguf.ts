/**
 * Writes a tiny but real GGUF file: the architecture of llama with random weights, so that the real engine loads,
 * streams and overflows. It knows nothing, but what it writes is text.
 */

/** What llama.cpp wants to find, as small as it takes it. */
const shape = { width: 64, layers: 2, heads: 4, hidden: 128, context: 8_192 }
const types = { u32: 4, f32: 6, string: 8, array: 9, i32: 5 } as const
const template =
  "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"

/**
 * What a model without chance says: behind a prompt that ends with this byte always these pieces, each of its own, and
 * then the end.
 */
export type Said = Readonly<Record<string, readonly string[]>>

/**
 * The file's bytes, about 0.5 MB; the same each time. `says`: no random weights, but a model that looks at the last
 * token alone. `context`: tokens.
 */
export function tinyGguf({
  says,
  context = shape.context,
  layers = shape.layers,
}: { says?: Said; context?: number; layers?: number } = {}): Buffer {
  const parts: Buffer[] = []
  const number = (value: number, bytes: 4 | 8, float = false): Buffer => {
    const out = Buffer.alloc(bytes)
    if (float) out.writeFloatLE(value)
    else if (bytes === 8) out.writeBigUInt64LE(BigInt(value))
    else out.writeInt32LE(value)
    return out
  }
  const text = (value: string): Buffer => {
    const bytes = Buffer.from(value)
    return Buffer.concat([number(bytes.length, 8), bytes])
  }

  // <unk>, <s>, </s>, every byte, and words enough to make the count a multiple of 32.
  const tokens = [
    '<unk>',
    '<s>',
    '</s>',
    ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
    '\u2581',
    '\u2581the',
    '\u2581hello',
    'e',
    't',
    'a',
    '.',
  ]
  const texts = tokens.length
  tokens.push(...Object.values(says ?? {}).flat())
  while (tokens.length % 32 > 0) tokens.push(`\u2581w${tokens.length}`)
  // Each token has a place of its own, where the next one is looked up.
  const width = says === undefined ? shape.width : tokens.length
  const kinds = tokens.map((_, at) => (at === 0 ? 2 : at < 3 ? 3 : at < 259 ? 6 : 1))

  const array = (kind: number, items: Buffer[]): Buffer =>
    Buffer.concat([number(kind, 4), number(items.length, 8), ...items])
  const rows: [string, number, Buffer][] = [
    ['general.architecture', types.string, text('llama')],
    ['general.name', types.string, text('tiny')],
    ['general.file_type', types.u32, number(0, 4)],
    ['llama.context_length', types.u32, number(context, 4)],
    ['llama.embedding_length', types.u32, number(width, 4)],
    ['llama.block_count', types.u32, number(layers, 4)],
    ['llama.feed_forward_length', types.u32, number(shape.hidden, 4)],
    ['llama.attention.head_count', types.u32, number(shape.heads, 4)],
    ['llama.attention.head_count_kv', types.u32, number(shape.heads, 4)],
    ['llama.rope.dimension_count', types.u32, number(width / shape.heads, 4)],
    ['llama.attention.layer_norm_rms_epsilon', types.f32, number(1e-5, 4, true)],
    ['llama.vocab_size', types.u32, number(tokens.length, 4)],
    ['tokenizer.ggml.model', types.string, text('llama')],
    ['tokenizer.ggml.tokens', types.array, array(types.string, tokens.map(text))],
    [
      'tokenizer.ggml.scores',
      types.array,
      array(
        types.f32,
        tokens.map((_, at) => number(at < 259 ? 0 : -at, 4, true)),
      ),
    ],
    [
      'tokenizer.ggml.token_type',
      types.array,
      array(
        types.i32,
        kinds.map(kind => number(kind, 4)),
      ),
    ],
    ['tokenizer.ggml.bos_token_id', types.u32, number(1, 4)],
    ['tokenizer.ggml.eos_token_id', types.u32, number(2, 4)],
    ['tokenizer.ggml.unknown_token_id', types.u32, number(0, 4)],
    ['tokenizer.chat_template', types.string, text(template)],
  ]
  const { hidden } = shape
  const tensors: [string, number[]][] = [
    ['token_embd.weight', [width, tokens.length]],
    ['output_norm.weight', [width]],
    ['output.weight', [width, tokens.length]],
  ]
  for (let layer = 0; layer < layers; layer++) {
    const square = ['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((name): [string, number[]] => [
      name,
      [width, width],
    ])
    for (const [name, size] of [
      ['attn_norm', [width]],
      ...square,
      ['ffn_norm', [width]],
      ['ffn_gate', [width, hidden]],
      ['ffn_up', [width, hidden]],
      ['ffn_down', [hidden, width]],
    ] as [string, number[]][])
      tensors.push([`blk.${layer}.${name}.weight`, size])
  }

  parts.push(Buffer.from('GGUF'), number(3, 4), number(tensors.length, 8), number(rows.length, 8))
  for (const [key, kind, value] of rows) parts.push(text(key), number(kind, 4), value)
  const bytesOf = (size: readonly number[]): number => size.reduce((a, b) => a * b, 1) * 4
  let offset = 0
  for (const [name, size] of tensors) {
    parts.push(
      text(name),
      number(size.length, 4),
      ...size.map(length => number(length, 8)),
      number(0, 4),
      number(offset, 8),
    )
    offset += Math.ceil(bytesOf(size) / 32) * 32
  }
  const head = Buffer.concat(parts)
  const weights: Buffer[] = [head, Buffer.alloc((32 - (head.length % 32)) % 32)]
  let seed = 1
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed / 0x7fffffff - 0.5
  }
  for (const [name, size] of tensors) {
    const values = Float32Array.from({ length: bytesOf(size) / 4 }, () =>
      name.includes('norm') ? 1 : says === undefined ? random() * 0.3 : 0,
    )
    if (says !== undefined) {
      const next = nextOf(says, texts)
      for (let token = 0; token < tokens.length; token++) {
        if (name === 'token_embd.weight') values[token * width + token] = 1
        // what follows it; else the end
        if (name === 'output.weight') values[(next.get(token) ?? 2) * width + token] = 9
      }
      weights.push(Buffer.from(values.buffer))
      continue
    }
    // A byte outside of ASCII is no text by itself, and so is never among the likely ones. Nor is the end, so that an
    // answer goes on until it is stopped.
    if (name === 'output.weight')
      for (const token of [0, 1, 2, ...Array.from({ length: 160 }, (_, at) => (at < 32 ? 3 + at : 3 + 0x80 + at - 32))])
        values.fill(0, token * width, (token + 1) * width)
    weights.push(Buffer.from(values.buffer), Buffer.alloc((32 - (values.byteLength % 32)) % 32))
  }
  return Buffer.concat(weights)
}

/**
 * Which token follows which; `first`: the number of the first piece. A blank is a token of its own, behind the bytes.
 */
function nextOf(says: Said, first: number): Map<number, number> {
  const next = new Map<number, number>()
  let at = first
  for (const [byte, pieces] of Object.entries(says)) {
    let before = byte === ' ' ? 3 + 256 : 3 + byte.charCodeAt(0)
    for (const _ of pieces) {
      next.set(before, at)
      before = at++
    }
  }
  return next
}
