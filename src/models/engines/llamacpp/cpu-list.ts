/** Models of the processor: from an address, from a file of the disk, and some that are known to be small. Pure. */
import type { LocalModel } from '../../../core/ports/local-engine.ts'

/** Tokens. Every token of the window costs memory and, when it is read, time; on a processor both are short. */
export const defaultCpuWindow = 4_096

/** Small models that speak well for their size; `bytes` about. Nothing is asked before one is chosen. */
export const smallModels: readonly { name: string; bytes: number; url: string }[] = [
  {
    name: 'Qwen2.5 0.5B',
    bytes: 491_000_000,
    url: 'https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/main/qwen2.5-0.5b-instruct-q4_k_m.gguf',
  },
  {
    name: 'Llama 3.2 1B',
    bytes: 808_000_000,
    url: 'https://huggingface.co/bartowski/Llama-3.2-1B-Instruct-GGUF/resolve/main/Llama-3.2-1B-Instruct-Q4_K_M.gguf',
  },
  {
    name: 'Qwen2.5 1.5B',
    bytes: 1_117_000_000,
    url: 'https://huggingface.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF/resolve/main/qwen2.5-1.5b-instruct-q4_k_m.gguf',
  },
]

/**
 * Tokens of a prompt that are read in the time that one of an answer takes. Measured: 0.5 to 1.5; the processor has as
 * much to compute for each.
 */
export const readsPerToken = 1.3

/** From an address; undefined where it is none of a GGUF file, or the window too small. */
export function cpuModelAt(url: string, window: number): LocalModel | undefined {
  const address = url.trim()
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address) || !(window >= 256)) return undefined
  // A page of Hugging Face about the file, as people copy it, is not the file.
  const direct = new URL(address.replace(/^(https:\/\/huggingface\.co\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/'))
  const file = plain(direct.pathname.split('/').at(-1) ?? '')
  if (!/\.gguf$/i.test(file)) return undefined
  // Many models are called `model.gguf`: where it comes from is part of what it is kept as.
  return made(file, window, {
    url: direct.href,
    file: plain(`${direct.host}${direct.pathname}`)
      .replaceAll(/[/\\:]/g, '~')
      .slice(-200),
  })
}

/** From a file of the disk. */
export function cpuModelOf({ name, size }: { name: string; size: number }, window: number): LocalModel | undefined {
  return /\.gguf$/i.test(name) && window >= 256 ? made(name, window, { file: name, bytes: size }) : undefined
}

/**
 * Tokens a second that an answer may be expected to come at: each token reads all weights once. Rounded as such a guess
 * deserves.
 */
export function expectedSpeed(bytes: number, bytesPerSecond: number): number {
  const speed = bytesPerSecond / bytes
  return speed >= 10
    ? Math.round(speed / 5) * 5
    : speed >= 2
      ? Math.round(speed)
      : Math.max(0.1, Math.round(speed * 10) / 10)
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name // a stray percent sign is part of the name
  }
}

function made(name: string, window: number, cpu: NonNullable<LocalModel['cpu']>): LocalModel {
  return {
    id: `cpu:${cpu.file}`,
    kind: 'cpu',
    name: name.replace(/\.gguf$/i, ''),
    contextWindow: Math.floor(window),
    tools: false,
    cpu,
  }
}
