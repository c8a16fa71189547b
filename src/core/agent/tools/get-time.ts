/** The tool that tells the time. */
import type { Tool } from './tool.ts'

export const getTime: Tool = {
  kind: 'reads',
  indexed: false,
  dryRun: 'reads nothing stored',
  name: 'get_time',
  polls: true,
  description: 'The date and time now, where the user is.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  async run(_args, { world }) {
    const now = new Date(world.now())
    const minutes = -now.getTimezoneOffset()
    const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0')
    const zone = `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
    const day = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][now.getDay()]
    const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
    return `${day}, ${date} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}, UTC${zone}`
  },
}
