/** Chats as they are shared in tests: the look, then the lines page by page. */
import type { SessionId } from '../../log/entry.ts'
import type { TestAgent } from '../agent.fixture.ts'
import type { KeptFindings, ShareChoice, ShareReview } from '../api/share-api.ts'

export const everything: ShareChoice = { tools: 'results', attachedTexts: true }
export const nothingKept: KeptFindings = { ids: [], kinds: [] }

export async function shared(
  { agent }: Pick<TestAgent, 'agent'>,
  session: SessionId,
  choice: ShareChoice = everything,
  kept: KeptFindings = nothingKept,
): Promise<{ review: ShareReview; lines: string[] }> {
  const review = await agent.reviewShare(session, choice)
  const lines: string[] = []
  for (let cursor: number | undefined = 0; cursor !== undefined;) {
    const page: { lines: string[]; next?: number } = await agent.sharedLines(review.handle, kept, cursor)
    lines.push(...page.lines)
    cursor = page.next
  }
  return { review, lines }
}
