/**
 * The commands of WebDriver that the stories need, over either of its two lines: HTTP for WebKit, Marionette's socket
 * for Firefox.
 */

/** Says one command and answers with its value. Throws where the browser refuses. */
export type Say = (command: keyof typeof commands, body?: Record<string, unknown>) => Promise<unknown>

/**
 * A command by its name in Marionette, and how HTTP spells it: method and path; `{id}` stands for the element that the
 * body names.
 */
export const commands = {
  'WebDriver:Navigate': ['POST', '/url'],
  'WebDriver:Refresh': ['POST', '/refresh'],
  'WebDriver:SetTimeouts': ['POST', '/timeouts'],
  'WebDriver:ExecuteScript': ['POST', '/execute/sync'],
  'WebDriver:ExecuteAsyncScript': ['POST', '/execute/async'],
  'WebDriver:ElementClick': ['POST', '/element/{id}/click'],
  'WebDriver:ElementSendKeys': ['POST', '/element/{id}/value'],
  'WebDriver:PerformActions': ['POST', '/actions'],
  'WebDriver:ReleaseActions': ['DELETE', '/actions'],
  'WebDriver:TakeScreenshot': ['GET', '/screenshot'],
  'WebDriver:NewWindow': ['POST', '/window/new'],
  'WebDriver:SwitchToWindow': ['POST', '/window'],
  'WebDriver:GetWindowHandle': ['GET', '/window'],
  'WebDriver:CloseWindow': ['DELETE', '/window'],
} as const

/** A browser that is driven. */
export type Driven = {
  say: Say
  /** Where downloads land. */
  downloads: string
  close(): Promise<void>
}

/** Under this name WebDriver writes a reference to an element. */
export const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
export type Element = { [elementKey]: string }

/**
 * Waits until `look` answers, by itself long enough for a busy machine (ms): a limit only ends what hangs. Throws with
 * what was waited for, and with what the last look threw.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | null | false>,
  ms = 60_000,
): Promise<T> {
  const end = Date.now() + ms
  let last: unknown
  for (;;) {
    try {
      const found = await look()
      if (found) return found
    } catch (thrown) {
      last = thrown
    }
    if (Date.now() > end)
      throw new Error(
        `Waited ${ms / 1_000} s for ${what}${last === undefined ? '' : `; the last look: ${String(last)}`}`,
      )
    await new Promise(resolve => {
      setTimeout(resolve, 50)
    })
  }
}
