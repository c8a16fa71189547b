/** How components of the talk get the chat that is open. */
import { createContext } from 'svelte'
import type { OpenSession } from './session.svelte.ts'

/** A typed pair: `getOpenSession()` throws where no parent has set one. */
export const [getOpenSession, setOpenSession] = createContext<OpenSession>()
