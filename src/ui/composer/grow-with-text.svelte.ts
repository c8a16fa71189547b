/** The message box grows with what is typed in it, and a letter lays out nothing but the box. */
import { watch } from '../browser/watch.svelte.ts'

/**
 * The box grows in a frame of fixed height, which follows once a line more or less is there: else each letter would lay
 * out the whole page. Called while the component is made.
 */
export function growWithText({
  box,
  frame,
  typed,
}: {
  box: () => HTMLTextAreaElement | undefined
  frame: () => HTMLElement
  typed: () => string
}): void {
  const growsItself = CSS.supports('field-sizing', 'content')
  let height = 0 // px

  function fit(): void {
    const area = box()
    if (area === undefined) return
    if (!growsItself) {
      area.style.height = 'auto'
      area.style.height = `${area.scrollHeight}px`
    }
    const wanted = area.getBoundingClientRect().height
    if (wanted === height) return
    height = wanted
    frame().style.height = `${height}px`
  }

  watch(typed, () => {
    if (growsItself) return // its size is observed
    const asked = requestAnimationFrame(fit)
    return () => {
      cancelAnimationFrame(asked)
    }
  })
  // in a frame of its own, because what stands above observes its size too
  $effect(() => {
    const area = box()
    if (area === undefined) return
    const observer = new ResizeObserver(() => {
      requestAnimationFrame(fit)
    })
    observer.observe(area)
    return () => {
      observer.disconnect()
    }
  })
}
