/** What must hold for locks of every kind. Runs in Node and in a browser alike. */
import { codeOf } from '../../core/errors.ts'
import type { Locks } from '../../core/ports/ports.ts'

export type LocksLaw = { name: string; hold(locks: Locks): Promise<void> }

const expectSame = (actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`is ${JSON.stringify(actual)}, should be ${JSON.stringify(expected)}`)
}

/** A task that ends when it is told to. */
function gate(): { task: () => Promise<string>; open: () => void; entered: Promise<void> } {
  let open = (): void => {}
  let enter = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  const entered = new Promise<void>(resolve => {
    enter = resolve
  })
  return {
    task: async () => {
      enter()
      await opened
      return 'done'
    },
    open: () => {
      open()
    },
    entered,
  }
}

export const locksLaws: LocksLaw[] = [
  {
    name: 'one holder at a time, in the order of asking; who must wait is told',
    async hold(locks) {
      const order: string[] = []
      const first = gate()
      const running = locks.run('a', { onWait: () => order.push('first waits') }, first.task)
      await first.entered
      const second = locks.run('a', { onWait: () => order.push('second waits') }, async () => {
        order.push('second')
        return 2
      })
      await new Promise(resolve => setTimeout(resolve, 20))
      const third = locks.run('a', {}, async () => {
        order.push('third')
        return 3
      })
      await new Promise(resolve => setTimeout(resolve, 20))
      order.push('first')
      first.open()
      expectSame(await Promise.all([running, second, third]), ['done', 2, 3])
      expectSame(order, ['second waits', 'first', 'second', 'third'])
    },
  },
  {
    name: 'names are apart from each other',
    async hold(locks) {
      const held = gate()
      const running = locks.run('a', {}, held.task)
      await held.entered
      expectSame(
        await locks.run(
          'b',
          {
            onWait: () => {
              throw new Error('b is free')
            },
          },
          async () => 'b',
        ),
        'b',
      )
      held.open()
      await running
    },
  },
  {
    name: 'trying never waits',
    async hold(locks) {
      const held = gate()
      const running = locks.tryRun('a', held.task)
      await held.entered
      expectSame(await locks.tryRun('a', async () => 'x'), { free: false })
      held.open()
      expectSame(await running, { free: true, value: 'done' })
      expectSame(await locks.tryRun('a', async () => 'x'), { free: true, value: 'x' })
    },
  },
  {
    name: 'a failing task gives the lock back, and its error is its own',
    async hold(locks) {
      const failing = async (): Promise<never> => {
        throw new RangeError('own')
      }
      expectSame(await locks.run('a', {}, failing).catch((error: Error) => error.name), 'RangeError')
      expectSame(await locks.tryRun('a', failing).catch((error: Error) => error.name), 'RangeError')
      expectSame(await locks.run('a', {}, async () => 1), 1)
    },
  },
  {
    name: 'a stop ends the waiting, not the work, and the next in line is served',
    async hold(locks) {
      const held = gate()
      const running = locks.run('a', {}, held.task)
      await held.entered
      const stop = new AbortController()
      const waiting = locks.run('a', { signal: stop.signal }, async () => 'never').then(() => 'ran', codeOf)
      const next = locks.run('a', {}, async () => 'next')
      await new Promise(resolve => setTimeout(resolve, 20))
      stop.abort()
      expectSame(await waiting, 'stopped')
      expectSame(await locks.run('a', { signal: stop.signal }, async () => 1).then(() => 'ran', codeOf), 'stopped')
      const working = new AbortController()
      held.open()
      expectSame([await running, await next], ['done', 'next'])
      const inside = locks.run('a', { signal: working.signal }, async () => {
        working.abort()
        await new Promise(resolve => setTimeout(resolve, 5))
        return 'finished'
      })
      expectSame(await inside, 'finished')
    },
  },
]
