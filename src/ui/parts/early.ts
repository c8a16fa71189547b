/** A part of the page that is wanted soon, but not for the first screen. */

/**
 * A loader that keeps what it has loaded: a component that shows the part afterwards has it at once. One that failed
 * loads anew.
 */
export function early<Part>(load: () => Promise<Part>): (() => Promise<Part>) & { loaded?: Part } {
  let loading: Promise<Part> | undefined
  const loader: (() => Promise<Part>) & { loaded?: Part } = () =>
    (loading ??= load().then(
      part => (loader.loaded = part),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  return loader
}
