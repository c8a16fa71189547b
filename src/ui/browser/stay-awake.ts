/**
 * Keeps the screen on while an answer is being written or a model is downloaded: a device that locks freezes the page.
 */
import type { ModelInfo } from '../../core/ports/ports.ts'

/**
 * Whether an answer of this model needs the device awake: an engine of this device does, for it stops with it. A server
 * writes on without us: there only a phone matters, which locks within seconds and cuts the connection.
 */
export function needsScreen(kind: ModelInfo['kind'] | undefined, isTouch: boolean): boolean {
  return isTouch || kind === 'webllm' || kind === 'cpu' || kind === 'prompt-api'
}

type Sentinel = { release(): Promise<void> }
type ScreenLock = { request(type: 'screen'): Promise<Sentinel> }

/**
 * Answers with how to let the screen go dark again. The browser drops the lock when the page is hidden, so it is taken
 * anew when the page is shown. Does nothing where there is no such lock (plain http, old browsers) or it is refused
 * (low battery).
 */
export function stayAwake(): () => void {
  const lock = (navigator as { wakeLock?: ScreenLock }).wakeLock
  if (lock === undefined) return () => {}
  let over = false
  let held: Sentinel | undefined
  const take = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    held = await lock.request('screen').catch(() => undefined) // refused: the answer survives a pause all the same
    if (over) await held?.release()
  }
  const again = (): void => {
    void take()
  }
  document.addEventListener('visibilitychange', again)
  again()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', again)
    void held?.release()
  }
}
