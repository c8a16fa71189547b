/** What an act of the history is called, with the tiles' words for messages that have none. Pure. */
import type { HistoryAct } from '../../core/agent/api/context-api.ts'
import { clip } from '../../core/text/display/graphemes.ts'
import type { PaneTexts } from '../i18n/pane.ts'

/** As much of a message as names it. Unit: UTF-16 units. */
const longestLabel = 40

export function actName(act: HistoryAct, texts: PaneTexts): string {
  const label = act.label.length <= longestLabel ? act.label : `${clip(act.label, longestLabel - 1)}…`
  return texts.act({ ...act, label })
}
