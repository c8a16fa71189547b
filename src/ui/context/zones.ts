/** The parts of the window as the pane shows them: those of the request, and the room that the answer needs. Pure. */
import type { ContextInfo } from '../../core/agent/api/context-api.ts'
import type { Zone } from '../../core/context/size/measure.ts'

export type PaneZone = Zone | 'answer'
export const paneZones: readonly PaneZone[] = [
  'system',
  'tools',
  'summary',
  'compactable',
  'reserved',
  'free',
  'answer',
]

/** `messages`: those of a zone of messages. */
export type ZoneRow = { zone: PaneZone; tokens: number; messages?: number }

/**
 * The zones that have something in them, in the order of the window: what is free lies between the request and the room
 * for the answer. Where the request fills the window, that room is still wanted, and is listed.
 */
export function zoneRows({ zones, outputReserve, tiles }: ContextInfo): ZoneRow[] {
  const answer = outputReserve
  const count = (zone: PaneZone): number =>
    tiles.reduce((sum, tile) => (tile.zone === zone ? sum + tile.count : sum), 0)
  return paneZones
    .map((zone): ZoneRow => {
      if (zone === 'answer') return { zone, tokens: answer }
      if (zone === 'free') return { zone, tokens: Math.max(0, zones.free - answer) }
      return zone === 'compactable' || zone === 'reserved'
        ? { zone, tokens: zones[zone], messages: count(zone) }
        : { zone, tokens: zones[zone] }
    })
    .filter(({ tokens }) => tokens > 0)
}

/** Share of the window that the request fills, 0…1: what does not fit fills it. */
export function usedShare({ total, window }: Pick<ContextInfo, 'total' | 'window'>): number {
  return window <= 0 ? 0 : Math.min(1, total / window)
}
