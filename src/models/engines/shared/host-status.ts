/** The published state of an engine that stores its models on disk: a download may run beside a chat. */
import type { EngineWork, LocalModel } from '../../../core/ports/local-engine.ts'
import { EngineStatus, timeLeft } from './engine-status.ts'

export class HostStatus extends EngineStatus {
  #chat: EngineWork = { state: 'idle' }
  #disk: EngineWork | undefined

  get chatting(): EngineWork['state'] {
    return this.#chat.state
  }

  chat(work: EngineWork): void {
    this.#chat = work
    this.#show()
  }

  disk(work: EngineWork | undefined): void {
    this.#disk = work
    this.#show()
  }

  /** Takes the numbers of a download or a check, bytes. */
  counting(
    state: 'downloading' | 'verifying',
    model: LocalModel,
    now: () => number,
  ): (done: number, total: number) => void {
    const left = timeLeft(now)
    return (done, total) => {
      const secondsLeft = left(done, total)
      this.#disk = { state, model: model.id, done, total, ...(secondsLeft === undefined ? {} : { secondsLeft }) }
      this.progress(this.#disk)
    }
  }

  /** Shows a download rather than the chat, but a failed download does not hide a running chat. */
  #show(): void {
    const failedDownload = this.#disk?.state === 'failed' && this.#chat.state !== 'idle'
    this.work(this.#disk && !failedDownload ? this.#disk : this.#chat)
  }
}
