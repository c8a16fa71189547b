/** Keeps a phone's screen on while an answer is being written: a locked screen freezes the page in the middle of it. */

type Sentinel = { release(): Promise<void> }
type WakeLock = { request(type: 'screen'): Promise<Sentinel> }

/**
 * Answers with how to let the screen go dark again. The browser drops the lock when the page is hidden, so it is taken anew
 * when the page is shown. Does nothing where there is no such lock (plain http, old browsers) or it is refused (low battery).
 */
export function stayAwake(): () => void {
  const lock = (navigator as { wakeLock?: WakeLock }).wakeLock
  if (lock === undefined) return () => {}
  let over = false
  let held: Sentinel | undefined
  const take = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    held = await lock.request('screen').catch(() => undefined) // refused: the answer survives a pause all the same
    if (over) await held?.release()
  }
  const again = (): void => { void take() }
  document.addEventListener('visibilitychange', again)
  again()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', again)
    void held?.release()
  }
}
