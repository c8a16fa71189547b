/**
 * Installing the app: whether this browser offers it now, and the person's click. Where it can only be done by the
 * browser's own menu, as on Safari of iPhone and iPad, that is told.
 */

/** Chromium's offer, which it makes once the page may be installed. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/**
 * `offered`: `install` opens the browser's dialog. `by hand`: the share menu does it. `installed`: this page is the
 * installed app. `none`: it cannot be done here.
 */
export type InstallState = 'offered' | 'by hand' | 'installed' | 'none'

/** Made before anything is on the screen: the browser makes its offer once, and early. */
export class Installation {
  #offer = $state.raw<InstallOffer | null>(null)
  #installed = $state(false)
  readonly #byHand: boolean

  constructor() {
    this.#installed = isStandalone()
    this.#byHand = isAppleTouch(navigator)
    addEventListener('beforeinstallprompt', event => {
      event.preventDefault() // the app's own button is the place
      this.#offer = event as InstallOffer
    })
    addEventListener('appinstalled', () => {
      this.#offer = null
      this.#installed = true
    })
  }

  get state(): InstallState {
    if (this.#installed) return 'installed'
    if (this.#offer !== null) return 'offered'
    return this.#byHand ? 'by hand' : 'none'
  }

  /** Opens the browser's dialog. Must be called in a click; an offer holds for one answer. */
  async install(): Promise<boolean> {
    const offer = this.#offer
    this.#offer = null
    if (offer === null) return false
    const { outcome } = await offer.prompt()
    return outcome === 'accepted'
  }
}

function isStandalone(): boolean {
  const { standalone } = navigator as { standalone?: boolean } // Safari's own
  return standalone === true || matchMedia('(display-mode: standalone)').matches
}

/** Safari on iPhone or iPad; the other browsers there have their offer elsewhere. iPads call themselves Macintosh. */
export function isAppleTouch({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): boolean {
  const isDevice = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return isDevice && /Safari\//.test(userAgent) && !/CriOS|FxiOS|EdgiOS|OPiOS|OPT\//.test(userAgent)
}
