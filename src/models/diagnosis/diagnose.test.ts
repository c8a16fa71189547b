import { describe, expect, it } from 'vitest'
import type { ServerFault } from '../../core/ports/server-diagnosis.ts'
import { hasVersion, presetOf } from '../catalogue/catalog.ts'
import { diagnose, type ProbeResult, type ProbeFindings, type Probe } from './diagnose.ts'

const said = (status: number, body = ''): ProbeResult => ({ reached: true, status, body })
const failed: ProbeResult = { reached: false }
const late: ProbeResult = { reached: false, late: true }
const list = said(200, '{"object":"list","data":[{"id":"qwen3"}]}')
const page = '<!doctype html><html><head><title>Sign in</title></head></html>'
const secure = { protocol: 'https:', host: 'app.example', online: true, webkit: false }
const home = { protocol: 'http:', host: 'localhost', online: true, webkit: false }

type Case = [
  string,
  ServerFault | null,
  Partial<Omit<ProbeFindings, 'server'>> & { url?: string; key?: string; headers?: Record<string, string> },
]

/** Each row has exactly the findings that the decision needs: one less, and a probe is wanted. */
const cases: Case[] = [
  ['no address', 'address', { url: 'localhost:11434' }],
  ['another protocol', 'address', { url: 'ftp://localhost/v1' }],
  ['no network', 'offline', { url: 'https://api.example/v1', page: { ...secure, online: false } }],
  ['no network, but on this machine', null, { page: { ...home, online: false }, list, ask: said(400) }],
  ['all is well', null, { list, ask: said(400, '{"error":"model is required"}') }],
  [
    'all is well, though an empty question fails with 500',
    null,
    { list, ask: said(500, '{"error":{"message":"key not found"}}') },
  ],
  ['all is well, with the model', null, { list, ask: said(422), model: 'qwen3' }],
  [
    'the name with its tag',
    null,
    { list: said(200, '{"data":[{"id":"qwen3:latest"}]}'), ask: said(400), model: 'qwen3' },
  ],
  [
    'the name as Google lists it',
    null,
    { list: said(200, '{"data":[{"id":"models/gemini-x"}]}'), ask: said(400), model: 'gemini-x' },
  ],
  ['off', 'off', { list: failed, permission: null, there: false, near: null }],
  ['off, and the page may ask', 'off', { page: secure, list: failed, permission: 'granted', there: false, near: null }],
  ['off, in the internet', 'off', { url: 'https://api.example/v1', list: failed, there: false, near: null }],
  [
    'the wrong port',
    'port',
    {
      url: 'http://localhost:11435/v1',
      list: failed,
      permission: null,
      there: false,
      near: 'http://localhost:11434/v1',
    },
  ],
  [
    'https on a plain port',
    'scheme',
    {
      url: 'https://localhost:11434/v1',
      list: failed,
      permission: null,
      there: false,
      near: 'http://localhost:11434/v1',
    },
  ],
  ['the page may not read', 'cors', { list: failed, there: true }],
  ['the page may not read, with a key neither', 'cors', { key: 'k', list: failed, there: true, bare: failed }],
  ['a preflight with a key is refused', 'preflight', { key: 'k', list: failed, there: true, bare: list }],
  ['a typed header is refused', 'headers', { headers: { 'x-title': 'a' }, list: failed, there: true, bare: list }],
  [
    'a typed header is refused, the key is not',
    'headers',
    { key: 'k', headers: { 'x-title': 'a' }, list: failed, there: true, bare: list, keyed: list },
  ],
  [
    'key and header are refused',
    'preflight',
    { key: 'k', headers: { 'x-title': 'a' }, list: failed, there: true, bare: list, keyed: failed },
  ],
  ['only the question is refused', 'preflight', { list, ask: failed }],
  [
    'only the question is refused, because of a header',
    'headers',
    { headers: { 'x-title': 'a' }, list, ask: failed, askKeyed: said(400) },
  ],
  [
    'only the question is refused, with and without',
    'preflight',
    { headers: { 'x-title': 'a' }, list, ask: failed, askKeyed: failed },
  ],
  [
    'the local network is refused',
    'network refused',
    { page: secure, list: failed, there: false, permission: 'denied' },
  ],
  [
    'the question for it was closed',
    'network not asked',
    { page: secure, list: failed, permission: 'prompt', there: false },
  ],
  ['a page of this machine is never asked', 'off', { list: failed, permission: 'prompt', there: false, near: null }],
  [
    'http in the network from an https page',
    'mixed content',
    { url: 'http://192.168.1.5:11434/v1', page: secure, list: failed, permission: null, there: false },
  ],
  [
    'http in the internet from an https page',
    'mixed content',
    { url: 'http://api.example/v1', page: secure, list: failed, there: false },
  ],
  [
    'http on this machine from an https page in Safari',
    'mixed content',
    { page: { ...secure, webkit: true }, list: failed, permission: null, there: false },
  ],
  [
    'http in the network, and the browser allowed it',
    'off',
    { url: 'http://192.168.1.5:11434/v1', page: secure, list: failed, permission: 'granted', there: false, near: null },
  ],
  ['it says nothing', 'silent', { list: late }],
  ['it says nothing to a question', 'silent', { list, ask: late }],
  ['it sends elsewhere', 'redirect', { list: { reached: false, redirect: true } }],
  ['no key', 'key missing', { list: said(401, '{"error":{"message":"You did not provide an API key"}}') }],
  ['a wrong key', 'key wrong', { key: 'k', list: said(401) }],
  [
    'a wrong key in a typed header',
    'key wrong',
    { headers: { 'x-api-key': 'k' }, list: said(403, '{"error":"forbidden"}') },
  ],
  ['a list that anybody may read, and a wrong key', 'key wrong', { key: 'k', list, ask: said(401) }],
  ['no credit', 'credit', { key: 'k', list, ask: said(402) }],
  ['no quota', 'credit', { key: 'k', list: said(429, '{"error":{"code":"insufficient_quota"}}') }],
  ['too many requests', 'wait', { key: 'k', list: said(429) }],
  [
    'no /v1',
    'path',
    { url: 'http://localhost:11434', list: said(404, '404 page not found'), versioned: 'http://localhost:11434/v1' },
  ],
  [
    'a native path',
    'path',
    { url: 'http://localhost:11434/api', list: said(404), versioned: 'http://localhost:11434/v1' },
  ],
  [
    'a web page where the list is under /v1',
    'path',
    { url: 'http://localhost:8080', list: said(200, page), versioned: 'http://localhost:8080/v1' },
  ],
  ['a sign-in page', 'page', { url: 'https://api.example/v1', list: said(200, page) }],
  ['a proxy refuses', 'page', { list: said(403, page) }],
  ['a network that wants a sign-in first', 'page', { list: said(511) }],
  ['a page instead of an answer to a question', 'page', { list, ask: said(200, page) }],
  ['a service that is down', 'down', { list: said(502, page) }],
  ['a gateway that waits too long for the answer', 'down', { list, ask: said(504) }],
  ['a model that is being loaded', 'loading', { list: said(503, '{"error":{"message":"Loading model"}}') }],
  [
    'a wrong key that comes with 400',
    'key wrong',
    {
      url: 'https://generativelanguage.googleapis.com/v1beta/openai',
      key: 'k',
      list: said(
        400,
        '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
      ),
    },
  ],
  [
    'a country that is not served',
    'region',
    {
      key: 'k',
      list: said(
        400,
        '[{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}]',
      ),
    },
  ],
  [
    'an organisation without CORS',
    'organisation',
    {
      key: 'k',
      list: said(
        401,
        '{"type":"error","error":{"type":"authentication_error","message":"CORS requests are not allowed for this Organization because of its custom data retention settings"}}',
      ),
    },
  ],
  [
    'no credit, said with 400',
    'credit',
    {
      key: 'k',
      list,
      ask: said(
        400,
        '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}',
      ),
    },
  ],
  [
    'privacy settings',
    'policy',
    {
      key: 'k',
      list,
      ask: said(404, '{"error":{"message":"No endpoints found matching your data policy","code":404}}'),
    },
  ],
  [
    'a model that does not fit the memory',
    'not loaded',
    {
      list,
      ask: said(
        404,
        '{"error":{"message":"Failed to load model \\"a\\". Error: Model loading aborted due to insufficient system resources."}}',
      ),
    },
  ],
  ['a question for no model', null, { list, ask: said(400, '{"error":{"message":"model_not_found: \\"\\""}}') }],
  ['something else answers', 'strange', { list: said(404, 'nothing'), versioned: null, near: null }],
  [
    'something else answers, a model server stands next door',
    'port',
    { url: 'http://localhost:3000', list: said(200, '{"hello":1}'), versioned: null, near: 'http://localhost:1234/v1' },
  ],
  ['a list without a place for questions', 'strange', { list, ask: said(404, '404 page not found') }],
  ['no model', 'no models', { list: said(200, '{"object":"list","data":[]}') }],
  ['no model, as Ollama says it', 'no models', { list: said(200, '{"object":"list","data":null,"models":[]}') }],
  ['another model', 'model', { list, model: 'llama' }],
]

function findings({
  url = 'http://localhost:11434/v1',
  key,
  headers,
  page: where = home,
  ...more
}: Case[2]): ProbeFindings {
  return { server: { baseUrl: url, ...(key ? { key } : {}), ...(headers ? { headers } : {}) }, page: where, ...more }
}

describe('a diagnosis', () => {
  it.each(cases)('%s', (_, fault, given) => {
    const verdict = diagnose(findings(given))
    expect(verdict).toMatchObject({ fault })
  })

  it('asks no more than it needs: without any one finding a probe is wanted', () => {
    const probes: readonly Probe[] = [
      'list',
      'bare',
      'keyed',
      'ask',
      'askKeyed',
      'there',
      'permission',
      'near',
      'versioned',
    ]
    for (const [name, , given] of cases) {
      for (const probe of probes) {
        if (given[probe] === undefined) continue
        const { [probe]: _, ...less } = given
        expect([name, diagnose(findings(less))]).toEqual([name, { wants: probe }])
      }
    }
  })

  it('names the server, where it does answer, and what it said, never with the key', () => {
    expect(
      diagnose(
        findings({
          url: 'http://localhost:9/v1',
          list: failed,
          permission: null,
          there: false,
          near: 'http://localhost:1234/v1',
        }),
      ),
    ).toEqual({ fault: 'port', host: 'localhost:9', baseUrl: 'http://localhost:1234/v1', kind: 'lmstudio' })
    expect(
      diagnose(findings({ key: 'secret-key-1', list: said(401, '{"error":{"message":"Bad key secret-key-1"}}') })),
    ).toEqual({ fault: 'key wrong', host: 'localhost:11434', kind: 'ollama', status: 401, said: 'Bad key •••' })
    expect(diagnose(findings({ headers: { 'X-Title': 'a' }, list, ask: failed, askKeyed: said(400) }))).toMatchObject({
      headers: ['X-Title'],
    })
  })
})

describe('an address', () => {
  it('belongs to a known server by its port or host', () => {
    expect(presetOf('http://192.168.1.5:1234')?.id).toBe('lmstudio')
    expect(presetOf('https://openrouter.ai/api/v1')?.id).toBe('openrouter')
    expect(presetOf('https://example.org:11434')).toBeUndefined()
    expect(['https://a/v1', 'https://a/api/v3', 'https://a/v1beta/openai'].every(hasVersion)).toBe(true)
    expect(['https://a', 'https://a/v1/x', 'https://a/api'].some(hasVersion)).toBe(false)
  })
})
