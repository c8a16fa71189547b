/** Copies a text to the clipboard, also where the page came over plain http. */
import { attempt } from '../../core/attempt.ts'

/** Answers whether the browser took it. Must be called in a click or key press. Never throws. */
export async function copyText(text: string): Promise<boolean> {
  const written = attempt(() => navigator.clipboard.writeText(text)) // missing on plain http
  return (
    (await written?.then(
      () => true,
      () => false,
    )) === true || copyByCommand(text)
  )
}

/** The older way. It touches neither focus nor selection, which a dialog may hold. */
function copyByCommand(text: string): boolean {
  let taken = false
  const allow = (event: Event): void => {
    event.preventDefault()
  } // Chromium and WebKit: else nothing is copied where nothing is selected
  const fill = (event: ClipboardEvent): void => {
    if (!event.clipboardData) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    taken = true
  }
  document.addEventListener('beforecopy', allow, true)
  document.addEventListener('copy', fill, true)
  try {
    return document.execCommand('copy') && taken
  } catch {
    return false
  } finally {
    document.removeEventListener('beforecopy', allow, true)
    document.removeEventListener('copy', fill, true)
  }
}
