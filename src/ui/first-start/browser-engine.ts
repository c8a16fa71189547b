/** The browser's own model, as far as the first screen needs it. Loaded only where the browser has one. */
import { browserModel } from '../../models/engines/prompt-api/prompt-api.ts'
import type { AppState } from '../state/app-state.svelte.ts'
import { enginesOf } from '../state/engines.svelte.ts'

export function browserEngine(app: AppState): { ready(): Promise<boolean>; keep(): Promise<string> } {
  const engines = enginesOf(app)
  return {
    /** Whether it is downloaded. Asks for nothing. */
    async ready() {
      await engines.refresh(['prompt-api'])
      return engines.states['prompt-api']?.disk[browserModel.id]?.missing.length === 0
    },
    /** Keeps it among the models and answers with its id: it is here already. */
    async keep() {
      await engines.download(browserModel)
      return browserModel.id
    },
  }
}
