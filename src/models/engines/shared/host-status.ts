/** The told state of an engine that keeps its models on the disk: a download may run beside a chat. */
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

  /** A download is what one wants to see; one that failed does not hide the chat that goes on. */
  #show(): void {
    const failedDownload = this.#disk?.state === 'failed' && this.#chat.state !== 'idle'
    this.work(this.#disk && !failedDownload ? this.#disk : this.#chat)
  }
}
