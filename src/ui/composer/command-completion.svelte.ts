/** UI state of the list over the message box, of commands and prompts: what it offers, what is marked, its keys. */
import { texts } from '../i18n/texts.ts'
import { commandStart } from '../state/draft/compose.ts'
import type { Prompt } from '../state/prompts.ts'
import { standsAlone } from './command-list.ts'
import type { Completion } from './matching-commands.ts'

type Loaded = typeof import('./matching-commands.ts')

export class CommandCompletion {
  readonly #typed: () => string
  readonly #write: (line: string) => void
  readonly #findPrompts: () => Promise<readonly Prompt[]>
  #active = $state(0)
  #closed = $state(false)
  /** Undefined until it was loaded. */
  #loaded: Loaded | undefined = $state.raw()
  #prompts: readonly Prompt[] = $state.raw([])
  #looked = false
  readonly #start: string | undefined = $derived.by(() => commandStart(this.#typed()))
  /** What the list offers; empty: there is no list. */
  readonly commands: readonly Completion[] = $derived(
    this.#start === undefined || this.#closed ? [] : this.#offered(this.#start),
  )
  /** The place of the one that is marked. */
  readonly active: number = $derived(Math.min(this.#active, this.commands.length - 1))
  readonly chosen: Completion | undefined = $derived(this.commands[this.active])

  /** `typed` reads the message box; `write` puts a completed line, or a prompt, there. */
  constructor(
    typed: () => string,
    write: (line: string) => void,
    findPrompts: () => Promise<readonly Prompt[]> = async () => [],
  ) {
    this.#typed = typed
    this.#write = write
    this.#findPrompts = findPrompts
  }

  #offered(start: string): readonly Completion[] {
    if (this.#loaded !== undefined) return this.#loaded.matchingCommands(start, this.#prompts)
    void this.#load()
    return []
  }

  async #load(): Promise<void> {
    try {
      this.#loaded = await import('./matching-commands.ts')
    } catch {
      // The page says that a part is missing; a command can be typed without the list.
    }
  }

  /** Prompts may have been written since: they are looked for with each first slash. */
  async #look(): Promise<void> {
    this.#looked = true
    try {
      const [found, { withoutCommands }] = await Promise.all([this.#findPrompts(), import('./matching-commands.ts')])
      this.#prompts = withoutCommands(found)
    } catch {
      // Commands can be typed all the same.
    }
  }

  /** Something was typed: the list begins again. */
  restart(): void {
    if (this.#start === '' || (!this.#looked && this.#typed().startsWith('/'))) void this.#look()
    this.#active = 0
    this.#closed = false
  }

  /** What the box shall hold where the line names a prompt; the person reads it before it is sent. */
  promptIn(line: string): string | undefined {
    return this.#loaded?.promptIn(line, this.#prompts)
  }

  /** The first blank of a text that was put in, as a range of UTF-16 units. */
  firstBlank(text: string): [from: number, to: number] | undefined {
    return this.#loaded?.firstBlank(text)
  }

  /** The name of a command as it is shown and written. */
  nameOf(command: Completion): string {
    return this.#loaded?.offeredName(command, this.#start ?? '', texts().language) ?? command.name
  }

  mark(index: number): void {
    this.#active = index
  }

  complete(command: Completion): void {
    if (command.prompt !== undefined) {
      this.#write(command.prompt.text)
      return
    }
    this.#write(`/${this.nameOf(command)}${command.args === '' ? '' : ' '}`)
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
        if (
          event.shiftKey ||
          (command.prompt === undefined && this.#start === this.nameOf(command).toLowerCase() && standsAlone(command))
        )
          return false
        this.complete(command)
        return true
      default:
        return false
    }
  }
}
