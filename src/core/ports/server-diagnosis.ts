/** Why a server does not answer, as the screen says it. Types only. */

/** The servers of this machine whose commands are known. */
export type ServerKind = 'ollama' | 'lmstudio' | 'llamacpp' | 'vllm'

/** Why a server does not answer as a model server does. The screen has words for each. */
export type ServerFault =
  | 'address' // no http(s) address
  | 'offline' // this device has no network
  | 'mixed content' // the page is https, the server is not
  | 'network refused' // the person or a policy forbade the page the local network
  | 'network not asked' // the browser has no permission for it yet: its question was closed, or never shown
  | 'off' // nobody answers
  | 'port'
  | 'scheme' // nobody answers here, but next door: another port, http instead of https or the reverse
  | 'cors' // somebody is there, whose answers the page may not read
  | 'preflight' // it lets itself be read, but refuses the question before a key or a body is sent
  | 'headers' // the same, because of headers that the person typed
  | 'redirect'
  | 'silent' // sends elsewhere; takes the connection and says nothing
  | 'key missing'
  | 'key wrong'
  | 'credit'
  | 'wait'
  | 'path' // the address lacks /v1
  | 'page' // a web page answers: a proxy, a sign-in, a portal
  | 'down'
  | 'loading' // 5xx; the model is still being loaded
  | 'not loaded' // it could not load the model, or has none loaded
  | 'region'
  | 'organisation'
  | 'policy' // not from this country; not for this organisation; no provider that the account's settings allow
  | 'strange' // something else answers
  | 'no models'
  | 'model' // it lists none; it does not list the one that was asked for

/** The diagnosis of a server; `fault` is null if all is well. Plain data, without any key. */
export type Diagnosis = {
  fault: ServerFault | null
  host: string // with its port
  kind?: ServerKind // as far as it can be told
  status?: number // HTTP
  said?: string // the server's own words
  baseUrl?: string // where it does answer
  headers?: string[] // names that it refuses
  model?: string
}
