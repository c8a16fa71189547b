import fc from 'fast-check'
import { describe, it } from 'vitest'
import { anyLog } from '../../log/random-log.fixture.ts'
import { lives } from '../../text/laws.fixture.ts'
import { comesBack, exportsTheRest, survivesKill, type Meanwhile } from './transfer.laws.ts'
import { devicesAgree, type DeviceIndex, type DeviceAct } from './devices.laws.ts'
import { anyChats } from './any-chats.fixture.ts'

const { numRuns } = lives()
const { seed } = fc.readConfigureGlobal()
const options = { timeout: 120_000 + numRuns * 500 }
const property = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns })

const pick = fc.nat(1_000)
const device = fc.constantFrom<DeviceIndex>(0, 1, 2)
const pairs: [DeviceIndex, DeviceIndex][] = [
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 2],
  [2, 0],
  [2, 1],
]
const act: fc.Arbitrary<DeviceAct> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), on: device, log: anyLog, pick }),
  fc.record({ do: fc.constant('look' as const), on: device, pick }),
  fc.record({ do: fc.constant('share' as const), from: device, to: device, canonical: fc.boolean() }),
)
const meanwhile: fc.Arbitrary<Meanwhile[]> = fc
  .array(
    fc.record({ after: fc.nat(2_000), do: fc.constantFrom('remove' as const, 'add' as const, 'write' as const), pick }),
    { maxLength: 6 },
  )
  .map(list => list.toSorted((a, b) => a.after - b.after))

describe('the laws of export and import', () => {
  it(`what goes out comes back byte for byte (seed ${seed})`, options, () => property(anyChats, comesBack))

  it(`an import that is cut off shows what it brought and is completed by the next (seed ${seed})`, options, () =>
    property(
      fc.tuple(
        anyChats,
        fc.record({ writes: fc.nat(24), atOnce: fc.integer({ min: 1, max: 40 }), taken: fc.boolean() }),
      ),
      ([chats, kill]) => survivesKill(chats, kill),
    ),
  )

  it(`what is removed, added or written during an export leaves all others whole (seed ${seed})`, options, () =>
    property(
      fc.tuple(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 395, max: 805 })), {
          minLength: 1,
          maxLength: 5,
        }),
        meanwhile,
      ),
      ([sizes, acts]) => exportsTheRest(sizes, acts),
    ),
  )

  it(`three devices that give each other their exports in any order end with the same (seed ${seed})`, options, () =>
    property(
      fc.tuple(anyChats, fc.array(act, { maxLength: 8 }), fc.shuffledSubarray(pairs, { minLength: 6 })),
      ([[chat], acts, order]) => devicesAgree(chat!, acts, order),
    ),
  )
})
