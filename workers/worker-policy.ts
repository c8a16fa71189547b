/**
 * What code in a worker of this app may do, as the service worker tells the browser. Why each is so:
 * docs/decisions/content-security.md.
 */

const policy = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src 'self'${scripts}`, // no eval, no code from elsewhere, from blob: or data:
    "worker-src 'self'",
    // A person may name any server, and may let a tool read any page, so the policy cannot list hosts:
    // which of them is asked is decided by net/allowed-fetch. What this still forbids: WebSockets and other schemes.
    "connect-src 'self' http: https:",
  ].join('; ')

export const workerPolicy = policy('')

/** The threads of engines run compiled programs: WebAssembly, which is no eval of text. */
export const enginePolicy = policy(" 'wasm-unsafe-eval'")

/** The policy for a worker script, by its address. */
export function policyFor(url: string): string {
  const file = new URL(url).pathname.split('/').at(-1) ?? ''
  return /^(?:webllm\.worker|wllama-(?:usual|older)-(?:thread|helper))-/.test(file) ? enginePolicy : workerPolicy
}
