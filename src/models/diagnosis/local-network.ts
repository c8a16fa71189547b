/** Whether this page may reach an address: Chromium's Local Network Access. The page reads it too. */
import { addressSpace } from '../../core/text/address/web-address.ts'

/** What of the browser is asked; pages and workers have all of it. */
export type BrowserScope = {
  location?: { protocol: string; hostname: string }
  navigator?: {
    onLine?: boolean
    userAgent?: string
    permissions?: { query(descriptor: { name: never }): Promise<{ state: string }> }
  }
}

/**
 * The state of the permission for the space of this host, under its present names, then the first one; null where the
 * browser knows no such permission or the host is public. Asking for the state asks the person nothing. Never throws.
 */
export async function networkPermission(
  host: string,
  { navigator }: BrowserScope = globalThis as BrowserScope,
): Promise<'granted' | 'denied' | 'prompt' | null> {
  const space = addressSpace(host)
  if (space === 'public') return null
  for (const name of [`${space}-network`, 'local-network-access']) {
    try {
      const state = (await navigator?.permissions?.query({ name: name as never }))?.state
      if (state === 'granted' || state === 'denied' || state === 'prompt') return state
    } catch {
      /* this browser does not know the name */
    }
  }
  return null
}
