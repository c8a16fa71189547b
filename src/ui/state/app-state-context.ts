/** How components around the talk get the state of the page. */
import { createContext } from 'svelte'
import type { AppState } from './app-state.svelte.ts'

/** A typed pair: `getShell()` throws where no parent has set one. */
export const [getAppState, setAppState] = createContext<AppState>()
