/**
 * Which models the graphics card can be given: data of the engine's own list, and the choice among them. Loaded only
 * when somebody chooses.
 */
import type { EngineDevice, FolderFile, LocalModel } from '../../../core/ports/local-engine.ts'
import { toolUse } from '../../catalogue/tool-use.ts'
import { nowhere, programsAt } from './webllm-hosts.ts'
import { usualHosts } from '../shared/mirrors.ts'
import rows from './webllm-list.json' with { type: 'json' }

/** One compiled model, as the engine's list has it (without embeddings, vision, and what no browser can hold). */
export type WebllmRow = {
  id: string
  memory: number // bytes of the graphics card at this window: the engine's estimate
  window: number // tokens
  bufferBytes?: number // one buffer that the card must be able to bind
  program: string // file name
  manifest?: string
}

/** A model in the precisions that exist of it. */
export type WebllmChoice = { name: string; half?: WebllmRow; full?: WebllmRow }

export const webllmRows: readonly WebllmRow[] = (rows as [string, number, number, number, string, string][]).map(
  ([id, memory, window, bufferBytes, program, manifest]) => ({
    id,
    memory: memory * 1_048_576,
    window,
    program,
    ...(bufferBytes > 0 ? { bufferBytes } : {}),
    ...(manifest === '' ? {} : { manifest }),
  }),
)

/** The variants with a smaller window share the weights of the ordinary ones. */
const weightsOf = (id: string): string => `${usualHosts.weights}mlc-ai/${id.replace(/-1k$/, '')}/resolve/main/`

const precision = /-q4f(16|32)_1-MLC(-1k)?$/

/** Every model of the list once, with both precisions; ones with other quantisations stand alone. Smallest first. */
export function webllmChoices(): WebllmChoice[] {
  const found = new Map<string, WebllmChoice>()
  for (const row of webllmRows) {
    const kind = precision.exec(row.id)
    const name = kind ? row.id.replace(precision, kind[2] ? ' (1k)' : '') : row.id.replace(/-MLC(?=-1k|$)/, '')
    const choice = found.get(name) ?? { name }
    if (needsHalf(row)) choice.half = row
    else choice.full = row
    found.set(name, choice)
  }
  return [...found.values()].toSorted((a, b) => leastMemory(a) - leastMemory(b))
}

const leastMemory = ({ half, full }: WebllmChoice): number =>
  Math.min(half?.memory ?? Infinity, full?.memory ?? Infinity)

/** Half precision needs `shader-f16`, also where the list does not say so. */
function needsHalf(row: WebllmRow): boolean {
  return /f16/.test(row.id)
}

/** The precision for this device: half where it can, for it needs less; undefined where none of them runs. */
export function rowFor(choice: WebllmChoice, device: EngineDevice): WebllmRow | undefined {
  const row = device.f16 ? (choice.half ?? choice.full) : choice.full
  return row && (row.bufferBytes ?? 0) <= device.bufferBytes ? row : undefined
}

/** A row as a model that can be kept. `window` may be larger than the list's, for the memory that it costs. */
export function localModelOf(row: WebllmRow, window = row.window): LocalModel {
  return {
    id: `webllm:${row.id}`,
    kind: 'webllm',
    name: row.id.replace(/-MLC(?=-1k|$)/, ''),
    contextWindow: window,
    tools: toolUse({ kind: 'webllm', name: row.id }) !== 'no',
    webllm: {
      weights: weightsOf(row.id),
      program: programsAt + row.program,
      features: needsHalf(row) ? ['shader-f16'] : [],
      memory: row.memory,
      ...(row.bufferBytes === undefined ? {} : { bufferBytes: row.bufferBytes }),
      ...(row.manifest === undefined ? {} : { manifest: row.manifest }),
    },
  }
}

/**
 * A model of the person's own: an MLC folder, and a program compiled for its architecture. Undefined where an address
 * is none.
 */
export function customModel({
  weights,
  program,
  window,
}: {
  weights: string
  program: string
  window: number
}): LocalModel | undefined {
  if (
    !/^https?:\/\//.test(weights) ||
    !/^https?:\/\//.test(program) ||
    !URL.canParse(weights) ||
    !URL.canParse(program) ||
    !(window >= 256)
  )
    return undefined
  let folder = weights.trim().replace(/\/?$/, '/')
  // the engine does the same, so both look for the same address
  if (!/.+\/resolve\/.+\//.test(folder)) folder += 'resolve/main/'
  const name =
    new URL(folder).pathname
      .replace(/\/resolve\/.*$/, '')
      .split('/')
      .at(-1) ?? folder
  return {
    id: `webllm:${folder}`,
    kind: 'webllm',
    name,
    contextWindow: Math.floor(window),
    tools: toolUse({ kind: 'webllm', name }) !== 'no',
    webllm: { weights: folder, program: program.trim(), features: /f16/.test(name) ? ['shader-f16'] : [] },
  }
}

/** A model's settings: where this file lies is its folder. */
const settingsName = 'mlc-chat-config.json'

/**
 * The model that lies among these files, at whatever depth; undefined where none does. One of the list above is known
 * by its folder's name and keeps its usual addresses, so that the network can complete it. `program` is wanted apart
 * where neither has one.
 */
export function folderModel<File extends FolderFile>(
  files: readonly File[],
  window: number,
): { model: LocalModel; files: File[]; needsProgram: boolean } | undefined {
  const settings = files.find(({ path }) => path.split('/').at(-1) === settingsName)
  if (!settings) return undefined
  const root = settings.path.slice(0, -settingsName.length)
  const inside = files.flatMap(file =>
    file.path.startsWith(root) ? [{ ...file, path: file.path.slice(root.length) }] : [],
  )
  const name =
    root
      .split('/')
      .filter(part => part !== '')
      .at(-1) ?? 'model'
  const row = webllmRows.find(({ id }) => id === name)
  const model = row
    ? localModelOf(row)
    : customModel({
        weights: nowhere + encodeURIComponent(name),
        program: `${nowhere}${encodeURIComponent(name)}/program.wasm`,
        window,
      })
  return (
    model && {
      model,
      files: inside,
      needsProgram: row === undefined && !inside.some(({ path }) => path.endsWith('.wasm')),
    }
  )
}

/** 10⁹ weights where the name does not tell them or rounds them away; from the makers' model cards. */
const billions: readonly [RegExp, number][] = [
  [/^Llama-3\.2-1B/, 1.24],
  [/^Llama-3\.2-3B|^Hermes-3-Llama-3\.2-3B/, 3.21],
  [/^gemma-2-2b/, 2.61],
  [/^gemma-2b/, 2.51],
  [/^gemma-4-E2B/, 5.1],
  [/^Phi-3/, 3.82],
  [/^Phi-4-mini/, 3.84],
  [/^phi-2/, 2.78],
  [/^phi-1_5/, 1.42],
  [/^Ministral-3-3B/, 3.85],
  [/^Qwen3\.5-0\.8B/, 0.87],
  [/^OLMo-2-0425-1B/, 1.48],
]
/** Bits a weight takes, scales included: 4 bits and a scale of 16 or 32 bits for each 32 of them. */
const bits: readonly [RegExp, number][] = [
  [/q4f16/, 4.5],
  [/q4f32/, 5],
  [/q3f16/, 3.6],
  [/q0f16/, 16],
  [/q0f32/, 32],
]

/**
 * About what a download takes, bytes: known to the byte only once the model's list of files was fetched. Undefined
 * where the name tells nothing.
 */
export function aboutBytes(row: WebllmRow): number | undefined {
  const named = /(?:^|-)(\d+(?:[._]\d+)?)b(?:-|$)/i.exec(row.id)?.[1]?.replace('_', '.') ?? /(\d+)M-/.exec(row.id)?.[1]
  const count =
    billions.find(([name]) => name.test(row.id))?.[1] ??
    (named === undefined ? undefined : /\dM-/.test(row.id) ? Number(named) / 1_000 : Number(named))
  const each = bits.find(([quantisation]) => quantisation.test(row.id))?.[1]
  return count === undefined || each === undefined ? undefined : Math.round((count * 1e9 * each) / 8 / 1e7) * 1e7
}

/** Ones that are worth a first try, the better ones last: small, good for their size, and widely used. */
const advised = ['Llama-3.2-1B-Instruct', 'Qwen3-1.7B', 'Llama-3.2-3B-Instruct', 'Qwen3-4B', 'Qwen3-8B']

/**
 * The best advised model that this device most likely holds: its memory estimate within half of the device's memory
 * (which browsers round down to at most 8 GiB) and, on an adapter in software, none at all.
 */
export function adviceFor(device: EngineDevice, memoryGiB = 4): { choice: WebllmChoice; row: WebllmRow } | undefined {
  if (device.fallback) return undefined
  const choices = webllmChoices()
  const fitting = advised.flatMap(name => {
    const choice = choices.find(candidate => candidate.name === name)
    const row = choice && rowFor(choice, device)
    return choice && row && row.memory <= (memoryGiB * 1_073_741_824) / 2 ? [{ choice, row }] : []
  })
  return fitting.at(-1)
}
