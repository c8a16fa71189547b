/** The icon of each page of the settings. */
import Cpu from '@lucide/svelte/icons/cpu'
import Bot from '@lucide/svelte/icons/bot'
import Gauge from '@lucide/svelte/icons/gauge'
import HardDrive from '@lucide/svelte/icons/hard-drive'
import Info from '@lucide/svelte/icons/info'
import Keyboard from '@lucide/svelte/icons/keyboard'
import NotebookText from '@lucide/svelte/icons/notebook-text'
import Palette from '@lucide/svelte/icons/palette'
import Pencil from '@lucide/svelte/icons/pencil'
import Server from '@lucide/svelte/icons/server'
import Shield from '@lucide/svelte/icons/shield'
import SquareSlash from '@lucide/svelte/icons/square-slash'
import type { SettingsTab } from '../state/page-place.svelte.ts'

export const tabIcons: Readonly<Record<SettingsTab, typeof Info>> = {
  models: Bot,
  servers: Server,
  device: Cpu,
  instructions: Pencil,
  prompts: SquareSlash,
  context: Gauge,
  memory: NotebookText,
  storage: HardDrive,
  privacy: Shield,
  appearance: Palette,
  shortcuts: Keyboard,
  about: Info,
}
