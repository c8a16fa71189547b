/**
 * A real HTTP server that speaks the OpenAI dialect, with all the habits of real ones. For tests only.
 *
 * `GET /v1/models` lists the scenarios; `POST /v1/chat/completions` plays the one that the model's name says, or the
 * one in double brackets in the last user message: `[[slow]] tell me …`. With an argument: `[[say Hello]]`.
 *
 * | scenario | what happens |
 * |---|---|
 * | `chat` | the default: repeats the message in a few pieces; a prompt for a summary gets a valid one |
 * | `say TEXT` · `long N` | exactly that text · N words |
 * | `call NAME {JSON}` · `calls` | a tool call in pieces, then (after its result) an answer that quotes the result ·
 * two at once |
 * | `slow N` · `waits` · `fast N` · `stamped` · `buffered` · `held` · `lump` · `hang` | N words (60), 100 ms each · 60,
 * the second half only after `goOn()` · 200 words a second, N of them · the first word tells when it was sent, epoch ms
 * · all at once after 1 s · one piece after 1.6 s · one piece · headers, then nothing |
 * | `crlf` · `cr` · `split` · `no-done` · `open-end` · `comments` · `no-blank-lines` | line endings · UTF-8 and lines
 * cut anywhere · no `[DONE]` · last line without newline · comments and pings · events without blank lines |
 * | `json` · `json-lines` | one JSON body instead of a stream · Ollama's own stream |
 * | `reasoning` · `reasoning-field` · `reasoning-text` · `reasoning-twice` | `reasoning_content` · `reasoning` ·
 * `reasoning_text` · two with the same text |
 * | `think` · `think-open` · `think-template` | `<think>` in the text · never closed · opened by the template |
 * | `call-details` · `call-signed` · `call-thought` · `call-thoughtless` | a call with OpenRouter's reasoning details ·
 * Google's signature · plain reasoning · which is demanded back |
 * | `call-no-index` · `call-ids-repeat` · `call-ids-change` · `call-index-zero` · `call-whole` · `call-object` ·
 * `call-empty` · `call-legacy` · `call-stop` | habits of tool calls |
 * | `usage-in-choice` · `usage-cached` · `no-usage` · `refuse-usage` | where the usage stands · with cached tokens ·
 * none · 400 for `stream_options` |
 * | `refuse-max-tokens` · `refuse-alternation` · `refuse-tools` · `refuse-user-after-tool` | 400 for `max_tokens` · for
 * two user turns in a row · for tools · as named |
 * | `refuse-limit` · `refuse-images` · `refuse-tool-choice` · `refuse-nameless` · `refuse-thoughtless` ·
 * `refuse-unsigned` · `refuse-system` · `refuse-toolless` | any output limit · images · `tool_choice` · results without
 * a name · calls without their reasoning · calls without a signature · the system role · calls without `tools` |
 * | `deepseek` · `kimi` · `gateway` · `openrouter` · `gemini` · `strict` · `toolless` · `limited` | for several
 * questions (`fake-thinkers.ts`): call the clock when the question says "look", and refuse what those providers refuse
 * |
 * | `length` · `filtered` · `empty` · `soft-overflow` · `truncated` | finish reasons; llama.cpp’s word for a full
 * window among what `--verbose` tells (`truncated beside`: at the top) |
 * | `error-in-stream` · `error-text` · `error-event` · `broken-off` · `garbage` | failures after the stream began
 * (`broken-off later`: after `goOn()`) |
 * | `overflow [PROVIDER]` · `output-cap` | a real refusal for length · for the output limit |
 * | `html` · `html-502` · `plain` · `redirect` | a proxy's page with 200 · with 502 · plain text with 200 · sent
 * elsewhere |
 * | `unauthorised` · `credit` · `missing` · `rate-limited` · `down` · `down-once` | 401 · 402 · 404 · 429 with
 * retry-after · 503 · 503 the first time |
 *
 * `POST /v1/messages` speaks Anthropic's own API (`fake-anthropic.ts`).
 * `GET /__requests` answers with what was asked; `POST /__switch` with `{"cors": false}` and the like changes the
 * switches.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { playAnthropic } from './fake-anthropic.ts'
import { names, play } from './fake-scenarios.ts'
import type { Play } from './fake-scene.ts'

export type Switches = {
  /** Answer other origins. `no-preflight`: only the answer allows them, not the OPTIONS before it. */
  cors: boolean | 'no-preflight'
  /** More headers that other origins may send, as Anthropic's API allows its own. */
  headers?: string
  /** Wanted as `Authorization: Bearer …`. */
  key?: string
  /** The models listed instead of all scenarios. */
  models?: string[]
  /** tokens, told by the list of models. */
  contextWindow?: number
  /** Without it the paths have no /v1 in front. */
  v1: boolean
  /** More fields of each row of the list. */
  row?: Record<string, unknown>
  /** What it answers besides, by path: `/props`, `/api/ps`. For `/api/show` by the model's name behind a blank. */
  native?: Record<string, unknown>
}

export type Asked = {
  method: string
  path: string
  headers: Record<string, string>
  body?: Record<string, unknown>
  at: number /* ms */
  closedEarly?: boolean
}

export type FakeServer = {
  /** With /v1. */
  url: string
  origin: string
  port: number
  requests: Asked[]
  switches: Switches
  /** Lets every answer go on that has begun. */
  goOn(): void
  stop(): Promise<void>
}

/** Starts it on 127.0.0.1; port 0 takes a free one. */
export async function startFakeServer(options: Partial<Switches> & { port?: number } = {}): Promise<FakeServer> {
  const { port: wanted = 0, ...rest } = options
  const switches: Switches = { cors: true, v1: true, ...rest }
  const requests: Asked[] = []
  const seen = new Map<string, number>()
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(thrown))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    allowOrigin(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204)
      response.end()
      return
    }
    const text = await bodyOf(request)
    if (path === '/__requests') return json(response, 200, requests)
    if (path === '/__switch') {
      Object.assign(switches, JSON.parse(text))
      return json(response, 200, switches)
    }
    const asked: Asked = {
      method: request.method ?? 'GET',
      path,
      headers: request.headers as Record<string, string>,
      at: Date.now(),
    }
    requests.push(asked)
    response.on('close', () => {
      if (!response.writableFinished) asked.closedEarly = true
    })
    const base = switches.v1 ? '/v1' : ''
    const given = request.headers.authorization ?? `Bearer ${String(request.headers['x-api-key'])}`
    if (switches.key !== undefined && given !== `Bearer ${switches.key}`) {
      return json(response, 401, {
        error: {
          message: `Incorrect API key provided: ${given.replace('Bearer ', '')}. You can find your key in your account.`,
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      })
    }
    if (path === `${base}/models` && request.method === 'GET') {
      return json(response, 200, {
        object: 'list',
        data: (switches.models ?? names).map(id => ({
          id,
          object: 'model',
          created: 1_700_000_000,
          owned_by: 'fake',
          ...switches.row,
          ...(switches.contextWindow ? { max_model_len: switches.contextWindow } : {}),
        })),
      })
    }
    const native =
      switches.native?.[path] ??
      switches.native?.[`${path} ${(text === '' ? {} : (JSON.parse(text) as { model?: string })).model ?? ''}`]
    if (native !== undefined) return json(response, 200, native)
    if (path === `${base}/messages` && request.method === 'POST') {
      asked.body = JSON.parse(text) as Record<string, unknown>
      return playAnthropic(asked.body, request.headers, response)
    }
    if (path !== `${base}/chat/completions` || request.method !== 'POST') {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end('404 page not found')
      return
    }
    const body = JSON.parse(text) as Record<string, unknown>
    asked.body = body
    const told = new Promise<void>(resolve => {
      waiting.push(resolve)
    }) // asked for now: one may be told to go on before it waits
    const playing: Play = {
      body,
      response,
      times: name => seen.set(name, (seen.get(name) ?? 0) + 1).get(name) ?? 0,
      told: () => told,
    }
    await play(playing)
  }

  function allowOrigin(request: IncomingMessage, response: ServerResponse): void {
    const origin = request.headers.origin
    if (
      origin === undefined ||
      switches.cors === false ||
      (switches.cors === 'no-preflight' && request.method === 'OPTIONS')
    )
      return
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS')
    response.setHeader(
      'access-control-allow-headers',
      `authorization, content-type, accept${switches.headers ? `, ${switches.headers}` : ''}`,
    ) // a fixed list, as local servers have
    response.setHeader('access-control-allow-private-network', 'true')
    response.setHeader('vary', 'origin')
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    url: `${origin}/v1`,
    origin,
    port,
    requests,
    switches,
    goOn() {
      for (const go of waiting) go()
      waiting = []
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startFakeServer({ port: Number(process.argv[2] ?? 8_089) })
  process.stdout.write(`${server.url}\n`)
}
