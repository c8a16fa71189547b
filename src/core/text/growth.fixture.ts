/** How the cost of a function grows with its input: what other programs do on the machine does not matter. */

/** Shorter than this nothing can be told; ms of processor time. */
const least = 4
const factor = 4
const attempts = 12

/**
 * The power of its input by which the cost of `run` grows: about 1 where it is linear, about 2 where it is quadratic.
 * `size` is a first guess; it is doubled until `run` takes long enough to be measured, and where it never does within
 * `most` the answer is 0. Inputs of one and of four sizes are measured in turns, which leaves a wide gap between the two
 * answers (4 times, 16 times). The shortest time of each counts: collecting garbage and compiling only make it longer.
 */
export async function growth<T>(given: (size: number) => T, run: (input: T) => unknown, size: number, most: number): Promise<number> {
  let small = given(size)
  while (await spent(run, small) < least) {
    size *= 2
    if (size > most) return 0
    small = given(size)
  }
  const large = given(size * factor)
  let [short, long, power] = [Infinity, Infinity, Infinity]
  for (let attempt = 0; attempt < attempts && (attempt < 3 || power > 1.2); attempt++) {
    short = Math.min(short, await spent(run, small))
    long = Math.min(long, await spent(run, large))
    power = Math.log(long / Math.max(short, 0.1)) / Math.log(factor)
  }
  return power
}

async function spent<T>(run: (input: T) => unknown, input: T): Promise<number> {
  const before = process.cpuUsage()
  await run(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
