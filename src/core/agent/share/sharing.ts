/** Use case: a chat, or a part of it, for somebody else: first a look at what would go out, then its lines (C9.7). */
import { AgentError } from '../../errors.ts'
import type { Id } from '../../log/entry.ts'
import { clip } from '../../text/display/graphemes.ts'
import { visibleLine } from '../../text/display/title.ts'
import type { Finding, RedactionChoice } from '../../text/redaction/secret-scan.ts'
import { secretKinds, type SecretKind } from '../../text/redaction/secret-kinds.ts'
import type { FindingPlace, KeptFindings, MessageWords, ShareApi, ShareReview } from '../api/share-api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { notShared, redactionLabel } from './redaction-texts.ts'
import { RedactedMessages } from './redacted-messages.ts'
import { SharedLines } from './shared-lines.ts'
import { shownMessages, type SharedMessage, type Shown } from './shown-messages.ts'

/** Findings of one kind that are listed one by one, and places of each. */
const listedFindings = 100
const listedPlaces = 3
/** Text beside a finding, and of a finding, as it is listed. UTF-16 units. */
const around = 40
const longestFound = 120
/** A page of lines ends after so many lines or characters. */
const pageLines = 400
const pageCharacters = 1_000_000
/** Work of the worker between two pauses for others; ms. */
const slice = 25

type Share = { handle: Id; redacted: RedactedMessages; lines?: SharedLines; next: number }

export function sharing(runtime: AgentRuntime): ShareApi {
  const { world } = runtime.deps
  let share: Share | undefined
  return {
    reviewShare: async (id, choice) => {
      const session = await runtime.session(id)
      const { title } = session.info
      const shown = shownMessages(
        session.rows.map(({ entry }) => entry),
        session.log,
        choice,
        notShared(runtime.language),
      )
      const handle = world.newId()
      const redacted = new RedactedMessages(title, shown.chosen)
      const own: Share = { handle, redacted, next: 0 }
      share = own
      let since = world.now()
      for (const _ of redacted.look()) {
        if (world.now() - since < slice) continue
        await world.sleep(0, new AbortController().signal)
        if (share !== own) throw new AgentError('stopped', 'Another look has begun')
        since = world.now()
      }
      return reviewOf(handle, shown, redacted)
    },
    sharedLines: async (handle, kept, cursor = 0) => {
      if (share?.handle !== handle) throw new AgentError('not_found', 'What was looked at is not there any more')
      const { redacted } = share
      const choice = choiceOf(kept, redacted.scan.findings, redactionLabel(runtime.language))
      const page: string[] = []
      if (cursor === 0) {
        share.lines = new SharedLines(world.newId())
        share.next = 0
        page.push(share.lines.header(redacted.title(choice), redacted.messages[0]?.at ?? world.now()))
      }
      const { lines } = share
      if (lines === undefined || cursor !== share.next)
        throw new AgentError('bad_input', 'This is no place in what goes out')
      let characters = 0
      for (
        ;
        share.next < redacted.messages.length && page.length < pageLines && characters < pageCharacters;
        share.next++
      ) {
        const line = lines.line(redacted.message(share.next, choice))
        characters += line.length
        page.push(line)
      }
      return { lines: page, ...(share.next < redacted.messages.length ? { next: share.next } : {}) }
    },
  }
}

function choiceOf(kept: KeptFindings, findings: readonly Finding[], label: RedactionChoice['label']): RedactionChoice {
  const kinds = new Set(kept.kinds)
  const ids = findings.filter(({ kind }) => kinds.has(kind)).map(({ id }) => id)
  return { keep: new Set([...kept.ids, ...ids]), label }
}

function reviewOf(handle: Id, { all, chosen, total, range }: Shown, redacted: RedactedMessages): ShareReview {
  const { scan } = redacted
  const { findings } = scan
  const ofKind = new Map<SecretKind, Finding[]>()
  for (const kind of secretKinds) ofKind.set(kind, [])
  for (const finding of findings) ofKind.get(finding.kind)!.push(finding)
  const ends = chosen.filter(message => message.type !== 'result' && message.text.trim() !== '')
  return {
    handle,
    total,
    range,
    ends: [...ends.slice(0, 1), ...ends.slice(1).slice(-1)].flatMap(message => wordsOf(message)),
    calls: all.reduce((sum, message) => sum + (message.type === 'assistant' ? message.calls.length : 0), 0),
    attached: all.reduce(
      (sum, message) =>
        sum +
        (message.type === 'user' ? message.attachments.filter(({ mime }) => !mime.startsWith('image/')).length : 0),
      0,
    ),
    counts: [...ofKind].flatMap(([kind, { length }]) => (length === 0 ? [] : [{ kind, findings: length }])),
    findings: [...ofKind.values()].flatMap(some =>
      some.slice(0, listedFindings).map(({ id, kind, number, of, places }) => ({
        id,
        kind,
        number,
        ...(of === undefined ? {} : { of }),
        count: places.length,
        places: places.slice(0, listedPlaces).map(({ text, from, to }): FindingPlace => {
          const whole = scan.textAt(text)
          const found = whole.slice(from, to)
          return {
            entry: redacted.ownerOf(text)?.entry ?? null,
            before: whole.slice(Math.max(0, from - around), from),
            found: found.length <= longestFound ? found : `${found.slice(0, longestFound)}…`,
            after: whole.slice(to, to + around),
          }
        }),
      })),
    ),
  }
}

/** Words of a message that tell which one it is, UTF-16 units. */
const shownWords = 80

function wordsOf(message: SharedMessage): MessageWords[] {
  if (message.type === 'result') return []
  const line = visibleLine(message.text.slice(0, 4 * shownWords))
  return [{ who: message.type, words: line.length <= shownWords ? line : `${clip(line, shownWords - 1)}…` }]
}
