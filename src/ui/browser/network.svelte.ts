/**
 * UI state of the network, as the browser tells it. The agent hears of each change, and goes on with what waited for
 * one when the page was left (C12).
 */
import type { AgentApi } from '../../core/agent/api/api.ts'
import type { SessionInfo } from '../../core/ports/ports.ts'

export class Network {
  readonly #api: Pick<AgentApi, 'setOnline' | 'sendAwaiting'>
  readonly #chats: () => readonly SessionInfo[] | undefined
  online = $state(navigator.onLine)

  constructor(
    api: Pick<AgentApi, 'setOnline' | 'sendAwaiting'>,
    { chats }: { chats: () => readonly SessionInfo[] | undefined },
  ) {
    this.#api = api
    this.#chats = chats
  }

  /** Tells the agent how it stands now and each time it changes. */
  watch(listen: (target: EventTarget, type: string, hear: () => void) => void): void {
    const tell = (): void => {
      this.online = navigator.onLine
      void this.#tell(this.online)
      if (this.online) this.sendAwaiting()
    }
    listen(window, 'online', tell)
    listen(window, 'offline', tell)
    void this.#tell(this.online)
  }

  /** What waited when a page was left goes out, or waits here. */
  sendAwaiting(): void {
    for (const { id, awaitsNetwork } of this.#chats() ?? [])
      if (awaitsNetwork) this.#api.sendAwaiting(id).catch(() => undefined) // waits here already, or offers Continue
  }

  /** Asks although the browser says that there is no network: it may be wrong. What fails waits again. */
  async tryNow(): Promise<void> {
    await this.#tell(true)
    await this.#tell(navigator.onLine)
  }

  /** A worker that has ended hears it from the bridge, as its next one. */
  #tell(online: boolean): Promise<void> {
    return this.#api.setOnline(online).catch(() => undefined)
  }
}
