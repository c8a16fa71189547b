/** Where an address lies, and whether this page may reach it: Chromium's Local Network Access. The page reads it too. */

export type AddressSpace = 'loopback' | 'local' | 'public'

/** What of the browser is asked; pages and workers have all of it. */
export type Place = {
  location?: { protocol: string; hostname: string }
  navigator?: { onLine?: boolean; userAgent?: string; permissions?: { query(descriptor: { name: never }): Promise<{ state: string }> } }
}

/**
 * Where a host lies, as browsers tell it: this machine, a private or link-local address (RFC 1918, RFC 3927, RFC 4193) or
 * a name of the local network, or anywhere else. `host`: as `URL.hostname` gives it.
 */
export function addressSpace(host: string): AddressSpace {
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)) return 'loopback'
  if (/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3}$/.test(host) || /^\[f[cd][0-9a-f]{2}:|^\[fe[89ab][0-9a-f]:/.test(host)) return 'local'
  return /\.(local|lan|internal|home\.arpa)$/.test(host) || host !== '' && !/[.:]/.test(host) ? 'local' : 'public'
}

/**
 * The state of the permission for the space of this host, under its present names, then the first one; null where the
 * browser knows no such permission or the host is public. Asking for the state asks the person nothing. Never throws.
 */
export async function networkPermission(host: string, { navigator }: Place = globalThis as Place): Promise<'granted' | 'denied' | 'prompt' | null> {
  const space = addressSpace(host)
  if (space === 'public') return null
  for (const name of [`${space}-network`, 'local-network-access']) {
    try {
      const state = (await navigator?.permissions?.query({ name: name as never }))?.state
      if (state === 'granted' || state === 'denied' || state === 'prompt') return state
    } catch { /* this browser does not know the name */ }
  }
  return null
}
