/** Whether the newest answer can be gone on with although it ended by itself. Pure. */
import type { TranscriptItem } from '../transcript-items.ts'

/** `thoughts`: it is thoughts alone; `limit`: its words end at the output limit; `circle`: it was stopped because it only went round. */
export function unendedIn(items: readonly TranscriptItem[]): 'thoughts' | 'limit' | 'circle' | undefined {
  const at = items.findLastIndex(({ type }) => type === 'user' || type === 'assistant' || type === 'tool' || type === 'orphan')
  const newest = items[at]
  if (newest?.type !== 'assistant' || newest.calls > 0 || newest.gone || newest.out) return undefined
  if (items.slice(at).some(item => item.type === 'note' && item.code === 'loop_ended')) return 'circle'
  if (newest.text.trim() === '' && (newest.reasoning.trim() !== '' || newest.stop === 'length')) return 'thoughts'
  return newest.stop === 'length' ? 'limit' : undefined
}
