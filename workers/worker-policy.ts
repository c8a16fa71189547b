/** What code in a worker of this app may do, as the service worker tells the browser. Why each is so: docs/decisions/content-security.md. */

export const workerPolicy = [
  "default-src 'none'",
  "script-src 'self'",                // no eval, no code from elsewhere, from blob: or data:
  "worker-src 'self'",
  // A person may name any server, and may let a tool read any page, so the policy cannot list hosts:
  // which of them is asked is decided by net/allowed-fetch. What this still forbids: WebSockets and other schemes.
  "connect-src 'self' http: https:",
].join('; ')
