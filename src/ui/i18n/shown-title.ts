/** The name of a chat as a person sees it. */
import { hasVisibleText } from '../../core/text/display/invisible.ts'
import { texts } from './texts.ts'

/** The title, or the words for a chat without one: also where an earlier version kept a title that nobody can see. */
export function shownTitle(title: string | undefined): string {
  return title !== undefined && hasVisibleText(title) ? title : texts().app.untitled
}
