/** Calibrates our token counts by the usage that a provider reports for an answer (C1.6). */
import type { ModelAnswer } from './ask-model.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { calibrate, saveCalibration } from '../request/model-calibration.ts'
import { saveReportedWindow } from './reported-window.ts'
import { filledWindow, promptTokens } from './silent-overflow.ts'
import type { Session } from '../session/session.ts'
import type { RequestSetup } from '../request/request-setup.ts'
import { schemasTokens } from '../request/window-limits.ts'
import { noteTexts } from '../i18n/note-texts.ts'

/**
 * Compares what the provider says it read with what was counted for the same request; the factor is kept per server and
 * model, for the counter that counted. Far too small a report, one above the window, or a server that says itself that
 * it left something out becomes a note, and the server is asked for its window; what was above it is counted as such
 * from the next request on, so that it is made to fit.
 */
export async function learnFromUsage(
  runtime: AgentRuntime,
  session: Session,
  setup: RequestSetup,
  { usage, truncated }: Pick<ModelAnswer, 'usage' | 'truncated'>,
  counted: number,
): Promise<void> {
  if (truncated) {
    await suspect(
      runtime,
      session,
      setup,
      { text: noteTexts(runtime).saidTruncated, data: {} },
      usage && promptTokens(usage),
    )
    return
  }
  if (!usage || !setup.model.reportsWholePrompt) return
  const reported = promptTokens(usage)
  if (reported <= 0 || counted <= 0) return
  const { name } = setup.plainCounter
  const taught = calibrate(setup.calibration.factors?.[name], reported, counted, filledWindow(usage, setup.window))
  const larger = reported > (setup.calibration.answered ?? 0) ? { answered: reported } : {}
  if ('factor' in taught)
    await saveCalibration(runtime.deps.store, setup.model, {
      factors: { ...setup.calibration.factors, [name]: taught.factor },
      ...larger,
    })
  // accepted without a word: what does not fit was cut off, or the window is larger than we know
  const isOver = reported > setup.window
  if (!isOver && 'factor' in taught) return
  const tools = schemasTokens(setup.schemas, setup.plainCounter.text) * (setup.calibration.factors?.[name] ?? 1)
  const said: SuspicionNote =
    'factor' in taught
      ? { text: noteTexts(runtime).overWindow(reported, setup.window), data: { reported, window: setup.window } }
      : {
          text: lacksTools(reported, taught.suspicion, tools)
            ? noteTexts(runtime).toolsLost(reported, taught.suspicion)
            : noteTexts(runtime).suspectTruncation(reported, taught.suspicion),
          data: { reported, expected: taught.suspicion },
        }
  await suspect(runtime, session, setup, said, reported)
}

/** How much two tokenizers may differ on the same text, as a share. */
const apart = 0.25

/** Whether only the tools are missing from the count: some chat templates silently leave them out. */
function lacksTools(reported: number, expected: number, tools: number): boolean {
  const without = expected - tools
  return tools > 0 && Math.abs(reported - without) <= Math.max(30, apart * without)
}

type SuspicionNote = { text: string; data: Record<string, number> }

/** Adds a note that something was left out, and asks the server for its window. */
async function suspect(
  runtime: AgentRuntime,
  session: Session,
  setup: RequestSetup,
  said: SuspicionNote,
  tokens: number | undefined,
): Promise<void> {
  if (!hasSuspicionNote(session))
    await session.append([
      { type: 'note', code: 'suspect_truncation', ...(tokens === undefined ? {} : { tokens }), ...said },
    ])
  await probeWindow(runtime, session, setup)
}

/** Whether this turn already has such a note: one is enough. */
export function hasSuspicionNote(session: Session): boolean {
  const question = session.log.findLastIndex(entry => entry.type === 'user')
  return session.log.slice(question + 1).some(entry => entry.type === 'note' && entry.code === 'suspect_truncation')
}

/**
 * The server may say what its window is; one that does not leaves it to the person, who has the note. Answers with a
 * smaller one that was learnt, tokens. `refused`: a request was, for its length.
 */
export async function probeWindow(
  runtime: AgentRuntime,
  session: Session,
  setup: RequestSetup,
  refused = false,
): Promise<number | undefined> {
  const { models } = runtime.deps
  const info = (await models.list()).find(({ id }) => id === setup.model.id)
  const server = info?.server === undefined ? undefined : (await models.servers()).find(({ id }) => id === info.server)
  if (!server) return undefined
  try {
    const { windows, contextWindow: ofAll } = await models.probe(server, new AbortController().signal)
    const contextWindow = windows?.[info?.name ?? '']?.tokens ?? ofAll
    if (contextWindow === undefined || contextWindow >= setup.window) return undefined
    await saveReportedWindow(runtime, session, setup, contextWindow, refused)
    return contextWindow
  } catch {
    return undefined // a server that does not say is no fault of this answer
  }
}
