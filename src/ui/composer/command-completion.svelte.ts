/** UI state of the list of commands over the message box: what it offers, which one is marked, and its keys. */
import type { CommandInfo } from '../../core/agent/commands/list.ts'
import { commandStart } from '../state/compose.ts'
import { standsAlone } from './command-list.ts'

type Match = (start: string) => readonly CommandInfo[]

export class CommandCompletion {
  readonly #typed: () => string
  readonly #write: (line: string) => void
  #active = $state(0)
  #closed = $state(false)
  /** Undefined until it was loaded. */
  #match: Match | undefined = $state.raw()
  readonly #start: string | undefined = $derived.by(() => commandStart(this.#typed()))
  /** What the list offers; empty: there is no list. */
  readonly commands: readonly CommandInfo[] = $derived(
    this.#start === undefined || this.#closed ? [] : this.#offered(this.#start),
  )
  /** The place of the one that is marked. */
  readonly active: number = $derived(Math.min(this.#active, this.commands.length - 1))
  readonly chosen: CommandInfo | undefined = $derived(this.commands[this.active])

  /** `typed` reads the message box; `write` puts a completed line there. */
  constructor(typed: () => string, write: (line: string) => void) {
    this.#typed = typed
    this.#write = write
  }

  #offered(start: string): readonly CommandInfo[] {
    if (this.#match !== undefined) return this.#match(start)
    void this.#load()
    return []
  }

  async #load(): Promise<void> {
    try {
      const { matchingCommands } = await import('./matching-commands.ts')
      this.#match = matchingCommands
    } catch {
      // The page says that a part is missing; a command can be typed without the list.
    }
  }

  /** Something was typed: the list begins again. */
  restart(): void {
    this.#active = 0
    this.#closed = false
  }

  mark(index: number): void {
    this.#active = index
  }

  complete(command: CommandInfo): void {
    this.#write(`/${command.name}${command.args === '' ? '' : ' '}`)
    this.#closed = command.args === ''
  }

  /** True when the key was for the list. */
  key(event: KeyboardEvent): boolean {
    const command = this.chosen
    if (command === undefined) return false
    switch (event.key) {
      case 'ArrowDown':
        this.#active = (this.#active + 1) % this.commands.length
        return true
      case 'ArrowUp':
        this.#active = (this.#active + this.commands.length - 1) % this.commands.length
        return true
      case 'Escape':
        this.#closed = true
        return true
      case 'Tab':
        if (event.shiftKey) return false
        this.complete(command)
        return true
      case 'Enter':
        // written out: Enter sends it
        if (event.shiftKey || (this.#start === command.name && standsAlone(command))) return false
        this.complete(command)
        return true
      default:
        return false
    }
  }
}
