/** Svelte context: how components get the open chat. */
import { createContext } from 'svelte'
import type { OpenSession } from './session.svelte.ts'

/** A typed pair: `getOpenSession()` throws where no parent has set one. */
export const [getOpenSession, setOpenSession] = createContext<OpenSession>()
