/** What the next message will do to the window, in one sentence. Pure. */
import type { ContextInfo } from '../../core/agent/api/context-api.ts'
import type { CutReason } from '../../core/log/entry.ts'
import type { PaneTexts } from '../i18n/pane.ts'
import { usedShare } from './zones.ts'

/** `lead` stands out. `acts`: something will be taken out or shortened, so there is something to preview. */
export type Sentence = { lead: string; text: string; acts: boolean; fits: boolean }

/** Cuts that no summary stands for. */
const untold: ReadonlySet<string> = new Set<CutReason>(['clear', 'open', 'last resort'])

/** The sentence that stands over the pane. */
export function nextMessage(info: ContextInfo, texts: PaneTexts): Sentence {
  const { next, turnLimit } = info
  if (next.tooLong) return { lead: texts.tooLong, text: texts.willNotFit, acts: false, fits: false }
  const short = next.shortened > 0
  if (next.messages === 0) {
    const lead = texts.fits(usedShare(info))
    return short
      ? { lead, text: texts.willShorten(next.shortened), acts: true, fits: true }
      : { lead, text: sentNow(info, texts), acts: false, fits: true }
  }
  const said = (lead: string, text: string): Sentence => ({
    lead,
    text: short ? `${text} ${texts.andShortened(next.shortened)}` : text,
    acts: true,
    fits: false,
  })
  switch (next.why) {
    case 'turns':
      return said(
        turnLimit === undefined ? texts.full : texts.manyTurns(turnLimit),
        texts.willHalve(next.messages, next.turns),
      )
    case 'budget':
      return said(texts.full, texts.willHalve(next.messages, next.turns))
    case 'strip':
      return said(texts.full, texts.willStrip(next.messages))
    case 'open':
      return said(texts.rested, texts.willRest(next.messages))
    case 'last resort':
    case 'clear':
      return said(texts.full, texts.willLeave(next.messages))
    case 'compact':
    case 'overflow':
    case undefined:
      return said(texts.full, texts.willSummarise(next.messages))
    default:
      return next.why satisfies never
  }
}

/** What goes with the next message where nothing leaves with it. */
function sentNow({ removed, zones }: ContextInfo, texts: PaneTexts): string {
  const cuts = removed.filter(({ kind }) => kind === 'cut')
  const all = cuts.reduce((sum, { count }) => sum + count, 0)
  const told = cuts.reduce((sum, { count, label }) => (untold.has(label) ? sum : sum + count), 0)
  if (zones.summary > 0 && told > 0) return texts.goesAsSummary(told, zones.summary)
  return all > 0 ? texts.notSentNow(all) : texts.allGoes
}
