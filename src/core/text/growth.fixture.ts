/** How the cost of a function grows with its input: what other programs do on the machine does not matter. */

/** Shorter than this nothing can be told; ms of processor time. */
const least = 4
const attempts = 12

/**
 * How many times longer `run` takes for twice the input: about 2 where the cost is linear, about 4 where it is quadratic.
 * `size` is a first guess; it is doubled until `run` takes long enough to be measured, and where it never does within
 * `most` the answer is 0. The smallest of several pairs counts, each measured at once.
 */
export async function growth<T>(given: (size: number) => T, run: (input: T) => unknown, size: number, most: number): Promise<number> {
  let [once, twice] = [given(size), given(size * 2)]
  while (await spent(run, once) < least) {
    size *= 2
    if (size > most) return 0
    once = twice
    twice = given(size * 2)
  }
  let best = Infinity
  for (let attempt = 0; attempt < attempts && best > 2.1; attempt++) {
    const short = await spent(run, once)
    best = Math.min(best, await spent(run, twice) / Math.max(short, 0.1))
  }
  return best
}

async function spent<T>(run: (input: T) => unknown, input: T): Promise<number> {
  const before = process.cpuUsage()
  await run(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
