/** Diagnoses why a server does not answer, from the results of several probes. Pure. */
import type { Server } from '../../core/ports/ports.ts'
import type { Diagnosis, ServerFault, ServerKind } from '../../core/ports/server-diagnosis.ts'
import { cleanBaseUrl, hasVersion, presetOf } from '../catalogue/catalog.ts'
import { causeOf } from '../server-errors/causes.ts'
import { addressSpace } from '../../core/text/address/web-address.ts'
import { isModelList, namesIn } from '../catalogue/model-list.ts'
import { redacted, serverMessage } from '../server-errors/server-errors.ts'

/**
 * The result of a probe. `late`: nothing within the time limit; `redirect`: it redirects to another place. `body` is
 * only the beginning.
 */
export type ProbeResult =
  | { reached: true; status: number; body: string }
  | { reached: false; late?: boolean; redirect?: boolean }

/** The ways of asking. Each is asked only if the answers so far leave more than one cause. */
export type Probe =
  | 'list' // GET /models as the app asks: with key and typed headers
  | 'permission' // may this page reach the local network?
  | 'there' // a request that needs no consent of the server: is anybody there at all?
  | 'bare' // GET /models with neither key nor headers: no preflight
  | 'keyed' // GET /models with the key only
  | 'near' // other ports and schemes of this host
  | 'versioned' // the list under /v1
  | 'ask' // POST /chat/completions with an empty object: refused before anything is computed
  | 'askKeyed' // the same without typed headers

export type ProbeFindings = {
  server: Pick<Server, 'baseUrl' | 'key' | 'headers'>
  model?: string
  page: { protocol: string; host: string; online: boolean; webkit: boolean }
  list?: ProbeResult
  bare?: ProbeResult
  keyed?: ProbeResult
  ask?: ProbeResult
  askKeyed?: ProbeResult
  there?: boolean
  /** null: this browser has no such permission. */
  permission?: 'granted' | 'denied' | 'prompt' | null
  /** Base URL of what answers nearby, null: nothing. */
  near?: string | null
  /** Base URL under which a list of models was found, null: none. */
  versioned?: string | null
}

/** The cause, or the probe that is needed next to tell causes apart. Asks for each probe at most once, so this ends. */
export function diagnose(found: ProbeFindings): Diagnosis | { wants: Probe } {
  const { server, page, model } = found
  const baseUrl = cleanBaseUrl(server.baseUrl)
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) return { fault: 'address', host: '' }
  const url = new URL(baseUrl)
  const space = addressSpace(url.hostname)
  const typed = Object.keys(server.headers ?? {})
  const guess = presetOf(baseUrl)
  const known: ServerKind | undefined = guess?.local ? (guess.id as ServerKind) : undefined
  const say = (fault: ServerFault | null, more: Partial<Diagnosis> = {}): Diagnosis => ({
    fault,
    host: url.host,
    ...(known ? { kind: known } : {}),
    ...more,
  })
  const refused = (answer: ProbeResult, fault: ServerFault): Diagnosis => say(fault, told(answer, server))

  if (!page.online && space !== 'loopback') return say('offline')
  const { list } = found
  if (!list) return { wants: 'list' }
  if (!list.reached) return unreached(list)
  return reached(list)

  function unreached(answer: ProbeResult & { reached: false }): Diagnosis | { wants: Probe } {
    if (answer.redirect) return say('redirect')
    if (answer.late) return say('silent')
    if (found.there === undefined) return { wants: 'there' }
    if (found.there) {
      if (!server.key && typed.length === 0) return say('cors')
      if (!found.bare) return { wants: 'bare' }
      if (!found.bare.reached) return say('cors')
      if (typed.length === 0 || !server.key)
        return typed.length > 0 ? say('headers', { headers: typed }) : say('preflight')
      if (!found.keyed) return { wants: 'keyed' }
      return found.keyed.reached ? say('headers', { headers: typed }) : say('preflight')
    }
    if (found.permission === undefined && space !== 'public') return { wants: 'permission' }
    if (found.permission === 'denied') return say('network refused')
    // Chromium asks the person before it connects; a page of this machine itself is never asked.
    if (found.permission === 'prompt' && addressSpace(page.host) !== 'loopback') return say('network not asked')
    if (
      page.protocol === 'https:' &&
      url.protocol === 'http:' &&
      (space !== 'loopback' || page.webkit) &&
      found.permission !== 'granted'
    )
      return say('mixed content')
    if (found.near === undefined) return { wants: 'near' }
    if (found.near === null) return say('off')
    return say(new URL(found.near).protocol === url.protocol ? 'port' : 'scheme', nearBy(found.near))
  }

  function reached(answer: ProbeResult & { reached: true }): Diagnosis | { wants: Probe } {
    const { status, body } = answer
    const page = isPage(body)
    if (status === 511 || (page && status === 403)) return refused(answer, 'page')
    const general = faultOf(status, body)
    if (general) return refused(answer, general)
    if (status >= 300 || page || !isModelList(body)) {
      if (!hasVersion(baseUrl) || status >= 400) {
        if (found.versioned === undefined) return { wants: 'versioned' }
        if (found.versioned !== null) return say('path', { ...told(answer, server), baseUrl: found.versioned })
      }
      if (page && status < 400) return refused(answer, 'page')
      if (space !== 'public' && found.near === undefined) return { wants: 'near' }
      return found.near ? say('port', { ...told(answer, server), ...nearBy(found.near) }) : refused(answer, 'strange')
    }
    const names = namesIn(body)
    if (names.length === 0) return say('no models')
    if (
      model !== undefined &&
      !names.some(name => name === model || name === `models/${model}` || name === `${model}:latest`)
    )
      return say('model', { model })
    return chat()
  }

  /** The list answers: would a question, too? */
  function chat(): Diagnosis | { wants: Probe } {
    const { ask } = found
    if (!ask) return { wants: 'ask' }
    if (!ask.reached) {
      if (ask.redirect) return say('redirect')
      if (ask.late) return say('silent')
      if (typed.length === 0) return say('preflight')
      if (!found.askKeyed) return { wants: 'askKeyed' }
      return found.askKeyed.reached ? say('headers', { headers: typed }) : say('preflight')
    }
    if (isPage(ask.body) && ask.status !== 404 && ask.status !== 405) return refused(ask, 'page')
    // An empty question makes some servers fail with 500: that is no fault.
    const fault = ask.status === 500 || ask.status === 501 ? undefined : faultOf(ask.status, ask.body)
    if (fault) return refused(ask, fault)
    return isPage(ask.body) || ((ask.status === 404 || ask.status === 405) && !/model/i.test(ask.body))
      ? refused(ask, 'strange')
      : say(null)
  }

  function faultOf(status: number, body: string): ServerFault | undefined {
    const cause = status >= 300 ? causeOf(status, body) : undefined
    if (cause === 'key')
      return server.key || typed.some(name => /auth|key|token/i.test(name)) ? 'key wrong' : 'key missing'
    // an empty question names no model, so nothing is said of one
    if (cause !== undefined && cause !== 'model') return cause
    if (status === 503 && /loading|warming|starting/i.test(body)) return 'loading'
    if (status >= 500 || status === 408) return 'down'
    return undefined
  }
}

/** What answers next door, and what it probably is. */
function nearBy(baseUrl: string): Partial<Diagnosis> {
  const preset = presetOf(baseUrl)
  return { baseUrl, ...(preset?.local ? { kind: preset.id as ServerKind } : {}) }
}

function told(answer: ProbeResult, server: ProbeFindings['server']): Partial<Diagnosis> {
  if (!answer.reached) return {}
  const said = serverMessage(redacted(answer.body, server)).slice(0, 300)
  return { status: answer.status, ...(said === '' ? {} : { said }) }
}

function isPage(body: string): boolean {
  return /^\s*<(!doctype|html|\?xml|head|body)/i.test(body)
}
