/** How long something takes, as time of the processor: others may be at work on the same machine. */

/** Milliseconds of processor time of this process so far, its helper threads included. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

export type Times = { p50: number; p95: number; runs: number } // ms of processor time

export function percentiles(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN)
  return { p50: at(0.5), p95: at(0.95), runs: sorted.length }
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** Times of `run`, each on what `given` made for it outside the measurement. */
export async function timesOf<T>(
  runs: number,
  given: (run: number) => T | Promise<T>,
  run: (given: T) => unknown,
): Promise<Times> {
  const times: number[] = []
  for (let at = 0; at < runs; at++) {
    const input = await given(at)
    const before = cpuMs()
    await run(input)
    times.push(cpuMs() - before)
  }
  return percentiles(times)
}

/** Lets other work run, and keeps the longest stretch in which it could not. */
export class Slices {
  longest = 0 // ms of processor time
  count = 0
  #from = cpuMs()

  readonly pause = async (): Promise<void> => {
    this.#end()
    await new Promise(resolve => {
      setImmediate(resolve)
    })
    this.#from = cpuMs()
  }

  /** To be called at the end of the work. */
  end(): this {
    this.#end()
    return this
  }

  #end(): void {
    this.count++
    this.longest = Math.max(this.longest, cpuMs() - this.#from)
  }
}
