/** When work that can wait a moment is done, so that painting and typing come first. */

/** In a hidden page no frame comes; the text must still be there when it is shown again. */
export function beforeNextPaint(task: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(task, 200)
  else requestAnimationFrame(task)
}

/** When the page has had time for other things. */
export function soon(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 16)
  })
}
