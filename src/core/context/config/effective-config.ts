/** Which settings hold for a chat. Pure. */
import { type Config, type ConfigValue } from './config.ts'
import { contradictions } from './config-faults.ts'
import { parseConfigValue } from './config-value.ts'

/**
 * The settings in effect: those of the chat before those of all chats before the defaults. What is unknown, of a
 * wrong type or out of range is passed over; so are all given values of a pair that contradict each other.
 */
export function effectiveConfig(
  defaults: Config,
  all: Readonly<Record<string, ConfigValue>> = {},
  chat: Readonly<Record<string, ConfigValue>> = {},
): Config {
  const config: Record<string, ConfigValue> = { ...defaults }
  for (const [key, value] of [...Object.entries(all), ...Object.entries(chat)]) {
    const read = parseConfigValue(key, value)
    if ('value' in read) config[read.key] = read.value
  }
  for (const { low, high } of contradictions(config as Config)) {
    config[low] = defaults[low]
    config[high] = defaults[high]
  }
  return config as Config
}
