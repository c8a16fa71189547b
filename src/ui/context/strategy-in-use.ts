/** Which strategy the page shows as chosen. */
import { defaultStrategy, strategyNamed, type StrategyName } from '../../core/context/strategy.ts'
import type { AppState } from '../state/app-state.svelte.ts'

/** That of the open chat; without one, or where its name is not known, that of new chats. */
export function strategyInUse({ session, settings }: Pick<AppState, 'session' | 'settings'>): StrategyName {
  return strategyNamed(session?.info?.strategy) ?? settings.defaults?.strategy ?? defaultStrategy
}
