/**
 * How to fix a server: steps, and the exact command for a server on an operating system. Pure; the page reads it too.
 */
import type { Diagnosis, ServerKind } from '../../core/ports/server-diagnosis.ts'
import { addressSpace } from '../../core/text/address/web-address.ts'

export type OperatingSystem = 'linux' | 'macos' | 'windows'

/** What a step is for. The screen has words for each. */
export type Purpose =
  | 'start' // start the server
  | 'allow' // allow this page's address
  | 'allow without service' // the same where it was not installed as a service
  | 'restart' // end it in its menu and start it again: only then it reads the new setting
  | 'listen' // let it listen to the network, not to its own machine only
  | 'lan switch' // a switch in its settings does that
  | 'get model' // fetch or load a model
  | 'answer with' // a server of another kind: the headers that it must answer with
export type FixStep = { purpose: Purpose; command?: string }

export type CommandContext = { system: OperatingSystem; /** Of this page. */ origin: string; baseUrl: string }

/** The order in which systems are offered. */
export const systems: readonly OperatingSystem[] = ['linux', 'macos', 'windows']

/**
 * The steps against a fault; none where no command can help. Names that came from elsewhere stand in a command only if
 * they are harmless there.
 */
export function stepsFor(
  { fault, model }: Pick<Diagnosis, 'fault' | 'model'>,
  kind: ServerKind | undefined,
  asker: CommandContext,
): FixStep[] {
  switch (fault) {
    case 'off':
      return kind ? starting[kind](asker) : []
    case 'cors':
    case 'preflight':
      return kind ? allowing[kind](asker) : [{ purpose: 'answer with', command: answerWith(asker.origin) }]
    case 'no models':
      return kind ? getting(kind, undefined, asker) : []
    case 'model':
      return kind ? getting(kind, model, asker) : []
    default:
      return []
  }
}

/** The system that a browser's own words name; Linux where they name none. */
export function systemOf(userAgent: string): OperatingSystem {
  return /Windows/i.test(userAgent) ? 'windows' : /Mac OS|Macintosh|iPhone|iPad/i.test(userAgent) ? 'macos' : 'linux'
}

const starting: Record<ServerKind, (asker: CommandContext) => FixStep[]> = {
  ollama: asker => [
    { purpose: 'start', command: ollamaStart(asker) },
    ...(isLan(asker) ? ollamaEnvironment('OLLAMA_HOST', '0.0.0.0', 'listen', asker) : []),
  ],
  lmstudio: asker => [
    { purpose: 'start', command: lmStudioStart(asker) },
    ...(isLan(asker) ? [{ purpose: 'lan switch' } as const] : []),
  ],
  llamacpp: asker => [{ purpose: 'start', command: llamaServer(asker) }],
  vllm: asker => [{ purpose: 'start', command: vllmServe(undefined, asker) }],
}

const allowing: Record<ServerKind, (asker: CommandContext) => FixStep[]> = {
  ollama: asker => ollamaEnvironment('OLLAMA_ORIGINS', asker.origin, 'allow', asker),
  lmstudio: asker => [{ purpose: 'allow', command: `lms server stop\n${lmStudioStart(asker)}` }],
  // Allows every page by default; with tools of its own switched on only those of its machine.
  llamacpp: asker => [
    { purpose: 'allow', command: `${llamaServer(asker)} --cors-origins ${quoted(asker.origin, asker.system)}` },
  ],
  vllm: asker => [{ purpose: 'allow', command: vllmServe(undefined, asker) }],
}

function getting(kind: ServerKind, model: string | undefined, asker: CommandContext): FixStep[] {
  const name = harmless(model)
  switch (kind) {
    case 'ollama':
      return [{ purpose: 'get model', command: `ollama pull ${name ?? 'qwen3:4b'}` }]
    case 'lmstudio':
      return [
        { purpose: 'get model', command: name ? `lms load ${name}` : 'lms get qwen/qwen3-4b\nlms load qwen/qwen3-4b' },
      ]
    case 'llamacpp':
      return [{ purpose: 'get model', command: llamaServer(asker) }]
    case 'vllm':
      return [{ purpose: 'get model', command: vllmServe(name, asker) }]
    default:
      return kind satisfies never
  }
}

function ollamaStart({ system, baseUrl }: CommandContext): string {
  const port = portOf(baseUrl)
  if (port !== '11434')
    return system === 'windows'
      ? `set OLLAMA_HOST=127.0.0.1:${port}\nollama serve`
      : `OLLAMA_HOST=127.0.0.1:${port} ollama serve`
  return system === 'macos'
    ? 'open -a Ollama'
    : system === 'windows'
      ? 'ollama serve'
      : 'sudo systemctl start ollama || ollama serve'
}

/**
 * How a running Ollama gets a variable: its service under Linux (a drop-in file of our own, whose name sorts behind the
 * one that `systemctl edit` writes), the session under macOS, the user under Windows.
 */
function ollamaEnvironment(
  name: string,
  value: string,
  purpose: 'allow' | 'listen',
  { system }: CommandContext,
): FixStep[] {
  switch (system) {
    case 'linux': {
      const file = `/etc/systemd/system/ollama.service.d/${name === 'OLLAMA_ORIGINS' ? 'page-origin' : 'page-listen'}.conf`
      return [
        {
          purpose,
          command: `sudo mkdir -p /etc/systemd/system/ollama.service.d\nprintf '[Service]\\nEnvironment="${name}=${value}"\\n' | sudo tee ${file}\nsudo systemctl daemon-reload && sudo systemctl restart ollama`,
        },
        ...(purpose === 'allow'
          ? [{ purpose: 'allow without service', command: `${name}=${quoted(value, system)} ollama serve` } as const]
          : []),
      ]
    }
    case 'macos':
      return [{ purpose, command: `launchctl setenv ${name} ${quoted(value, system)}` }, { purpose: 'restart' }]
    case 'windows':
      return [{ purpose, command: `setx ${name} ${quoted(value, system)}` }, { purpose: 'restart' }]
    default:
      return system satisfies never
  }
}

function lmStudioStart({ baseUrl }: CommandContext): string {
  return `lms server start --port ${portOf(baseUrl)} --cors`
}

function llamaServer(asker: CommandContext): string {
  return `llama-server -m model.gguf --jinja --port ${portOf(asker.baseUrl)}${isLan(asker) ? ' --host 0.0.0.0' : ''}`
}

function vllmServe(model: string | undefined, asker: CommandContext): string {
  const origins = asker.system === 'windows' ? `"[\\"${asker.origin}\\"]"` : `'["${asker.origin}"]'`
  return `vllm serve ${model ?? 'Qwen/Qwen3-4B'} --port ${portOf(asker.baseUrl)} --allowed-origins ${origins}${isLan(asker) ? ' --host 0.0.0.0' : ''}`
}

function answerWith(origin: string): string {
  return `Access-Control-Allow-Origin: ${origin}\nAccess-Control-Allow-Methods: GET, POST, OPTIONS\nAccess-Control-Allow-Headers: authorization, content-type`
}

/** An origin has no quotes in it, so quotes are enough. */
function quoted(text: string, system: OperatingSystem): string {
  return system === 'windows' ? `"${text}"` : `'${text}'`
}

/** A name that no shell reads as anything but a name. */
function harmless(name: string | undefined): string | undefined {
  return name !== undefined && /^[A-Za-z0-9][\w.:/@-]*$/.test(name) ? name : undefined
}

function isLan({ baseUrl }: CommandContext): boolean {
  return URL.canParse(baseUrl) && addressSpace(new URL(baseUrl).hostname) === 'local'
}

function portOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
