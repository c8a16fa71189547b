/** Where the cards of summaries stand: at the border that they made, above the first message that was kept. Pure. */
import type { Id } from '../../core/log/entry.ts'
import type { SummaryItem, TranscriptItem } from './transcript-items.ts'

/**
 * The items with each summary in front of the message that its cut falls before. `borderOf`: that message; null for a
 * cut before which everything left: its card stays where it was made. `isWhole`: the first message is among the items;
 * without it a card whose cut or border is not there yet comes with these, so that it never moves. In a whole chat that
 * lacks them the card stays where it was made.
 */
export function summariesAtBorders(
  items: readonly TranscriptItem[],
  borderOf: (summary: SummaryItem) => Id | null | undefined,
  isWhole: boolean,
): readonly TranscriptItem[] {
  const moving = new Map<Id, SummaryItem[]>()
  const moved = new Set<TranscriptItem>()
  for (const item of items) {
    if (item.type !== 'summary') continue
    const border = borderOf(item)
    if (border === undefined && !isWhole) moved.add(item)
    if (border === undefined || border === null) continue
    const others = moving.get(border)
    if (others === undefined) moving.set(border, [item])
    else others.push(item)
  }
  if (moving.size + moved.size === 0) return items
  const there = new Set<Id>()
  for (const { entry } of items) if (moving.has(entry)) there.add(entry)
  for (const [border, cards] of moving) if (there.has(border) || !isWhole) for (const card of cards) moved.add(card)
  const placed: TranscriptItem[] = []
  for (const item of items) {
    if (moved.has(item)) continue
    if (there.delete(item.entry)) placed.push(...(moving.get(item.entry) ?? []))
    placed.push(item)
  }
  return placed
}
