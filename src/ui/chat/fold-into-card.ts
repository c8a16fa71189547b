/** A compaction as a motion: the messages above the card fold towards it. Touches the screen only. */

/** A card that was made longer ago was there before: it does not move. Unit: ms. */
const fresh = 5_000
const folding = 340 // ms
/** Messages that move: those next to the card. More are mostly off the screen. */
const mostRows = 8

/**
 * Plays the motion once, for a summary that has just been made (`at`, ms since epoch). Nothing changes its place in the
 * page: only what is painted moves, so nothing that is read jumps. Not where the person wants less motion.
 */
export function foldIntoCard(card: HTMLElement, at: number): void {
  if (Date.now() - at > fresh || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  if (document.visibilityState !== 'visible') return
  requestAnimationFrame(() => {
    const target = card.getBoundingClientRect()
    if (target.height === 0) return
    const easing = 'cubic-bezier(0.2, 0.7, 0.3, 1)'
    card.animate(
      [
        { transform: 'scaleY(0.4)', transformOrigin: 'top', opacity: 0 },
        { transform: 'none', transformOrigin: 'top', opacity: 1 },
      ],
      { duration: folding, easing },
    )
    const rows = [...(card.closest('[role="log"]')?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
    const above = rows
      .map(row => ({ row, box: row.getBoundingClientRect() }))
      .filter(({ row, box }) => !row.contains(card) && box.bottom <= target.top + 1 && box.bottom > 0)
      .slice(-mostRows)
    for (const { row, box } of above) {
      const way = (target.top - box.bottom) * 0.6
      row.animate(
        [
          { transform: 'none', transformOrigin: 'bottom', opacity: 1 },
          { transform: `translateY(${way}px) scaleY(0.3)`, transformOrigin: 'bottom', opacity: 0, offset: 0.75 },
          { transform: 'none', transformOrigin: 'bottom', opacity: 1 },
        ],
        { duration: folding * 1.6, easing },
      )
    }
  })
}
