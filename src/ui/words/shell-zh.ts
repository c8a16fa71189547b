/** Everything around the talk, in Chinese. */
import type { ShellWords } from '../words.ts'

export const shell: ShellWords = {
  appName: 'Haversack',
}
