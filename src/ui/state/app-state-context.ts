/** Svelte context: how components get the app state. */
import { createContext } from 'svelte'
import type { AppState } from './app-state.svelte.ts'

/** A typed pair: `getAppState()` throws where no parent has set one. */
export const [getAppState, setAppState] = createContext<AppState>()
