/** The keys of the list of commands. What the list offers is tested with `matchingCommands`. */
import { flushSync } from 'svelte'
import { expect, it } from 'vitest'
import { CommandCompletion } from './command-completion.svelte.ts'

/** A message box whose list is loaded; `key` answers whether the list took the key. */
async function messageBox(typed: string) {
  const box = { typed }
  const menu = new CommandCompletion(
    () => box.typed,
    line => {
      box.typed = line
    },
  )
  expect(menu.commands).toEqual([]) // asks for the list
  await import('./matching-commands.ts')
  await Promise.resolve()
  return {
    box,
    menu,
    key: (key: string, shiftKey = false) => {
      const taken = menu.key({ key, shiftKey } as KeyboardEvent)
      flushSync()
      return taken
    },
  }
}

it('goes round at both ends with the arrows', async () => {
  const { menu, key } = await messageBox('/')
  const names = menu.commands.map(({ name }) => name)
  expect(key('ArrowUp')).toBe(true)
  expect(menu.chosen?.name).toBe(names.at(-1))
  key('ArrowDown')
  expect([menu.active, menu.chosen?.name]).toEqual([0, names[0]])
})

it('completes with Tab and Enter, and leaves Shift to the box', async () => {
  const { box, key } = await messageBox('/expo')
  expect([key('Tab', true), key('Enter', true), box.typed]).toEqual([false, false, '/expo'])
  expect(key('Enter')).toBe(true)
  expect(box.typed).toMatch(/^\/export ?$/)
})

it('lets Enter send a command that is written out and needs nothing more', async () => {
  expect((await messageBox('/stop')).key('Enter')).toBe(false)
})

it('is closed by Escape until something is typed', async () => {
  const { menu, key } = await messageBox('/sto')
  expect(key('Escape')).toBe(true)
  expect([menu.commands, key('ArrowDown'), key('Enter')]).toEqual([[], false, false])
  menu.restart()
  expect(menu.chosen?.name).toBe('stop')
})

it('takes no key where no command is typed', async () => {
  const { menu, key } = await messageBox('Hello')
  expect(menu.commands).toEqual([])
  expect(['ArrowUp', 'Tab', 'Enter', 'Escape'].map(name => key(name))).toEqual([false, false, false, false])
})
