/**
 * How wide the window is, in letters: what stands in it grows with the size of the text, whether that is the browser's,
 * the app's own, or a style of the person.
 */

/** Widths below which the context pane, and the library, do not stand beside the talk. Unit: rem. */
export const roomFor = { context: 56.25, library: 40 } as const

export class PageWidth {
  /** Unit: rem. */
  rem = $state(Number.POSITIVE_INFINITY)

  constructor() {
    // One letter wide: it tells each change of the size of letters.
    const probe = document.createElement('span')
    Object.assign(probe.style, { position: 'fixed', width: '1rem', visibility: 'hidden' })
    document.documentElement.append(probe)
    const measure = (): void => {
      this.rem = innerWidth / (probe.getBoundingClientRect().width || 16)
    }
    measure()
    addEventListener('resize', measure)
    new ResizeObserver(measure).observe(probe)
  }
}
