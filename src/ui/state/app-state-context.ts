/** How components around the talk get the state of the page. */
import { createContext } from 'svelte'
import type { Shell } from './app-state.svelte.ts'

/** A typed pair: `getShell()` throws where no parent has set one. */
export const [getShell, setShell] = createContext<Shell>()
