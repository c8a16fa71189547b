/** What must hold for every strategy, whatever is said, undone, broken or switched. Each law gets random chats. */
import type { Entry, FactEntry, Id, Log } from '../../log/entry.ts'
import { modelView, type ViewMessage } from '../../log/model-view/model-view.ts'
import {
  boundaryOf,
  isEdit,
  isFact,
  openTurnQuestion,
  effectiveEdits,
  effectiveSummary,
  undoTarget,
} from '../../log/query.ts'
import { requestSize } from '../size/measure.ts'
import { Chat, reread } from '../chat.fixture.ts'
import { playMove, fillerText, type Life } from '../life.fixture.ts'
import { runPipeline } from '../run-pipeline.ts'
import type { StrategyName } from '../strategy.ts'

/** Lives through it and looks after each move. Throws where a law is broken. */
export async function liveThrough(strategy: StrategyName, life: Life): Promise<void> {
  const chat = new Chat(strategy, life.window, {
    agent_max_context_turns: 3,
    enable_tool_result_compact: true,
    tool_result_compact_keep_n: 2,
  })
  chat.summariser = life.summariser
  chat.system = fillerText(life.system, 'system ')
  chat.onAdded = isOneGroup
  for (const [n, it] of life.moves.entries()) {
    const before = chat.log
    await playMove(chat, it, n, { call, opened })
    if (it.do !== 'crash' && it.do !== 'reload') growsOnly(before, chat.log)
    isLegal(modelView(chat.log))
    stepsHaveTheirQuestion(chat.log)
    if (it.do === 'reload' || it.do === 'undo') sameAfterReload(chat.log)
    await undoneStaysUndone(chat, before)
  }
  await chat.lateSummaries()
  sameAfterReload(chat.log)
  isReachable(chat)
  undoOfEverything(chat)
}

/** The request in front of a model call keeps the laws of requests. */
async function call(chat: Chat, question: Id, first: boolean): Promise<boolean> {
  const grown = chat.log
  chat.onAdded = (before, added) => {
    isOneGroup(before, added)
    cutsFromItsThreshold(chat, before, added)
  }
  const fits = await chat.beforeCall(first)
  chat.onAdded = isOneGroup
  growsOnly(grown, chat.log)
  const again = await runPipeline(chat.log, chat.strategy.onCall ?? [], chat.env('onCall'))
  law(again.length === 0, `asking again adds ${again.map(entry => entry.type).join(', ')}`)
  if (first)
    law(
      (await runPipeline(chat.log, chat.strategy.onTurn ?? [], chat.env('onTurn'))).length === 0,
      'the moment of the turn adds something again',
    )
  const view = modelView(chat.log)
  isLegal(view)
  beginsLikeBefore(chat, view)
  law(openTurnQuestion(chat.log)?.id === question, 'the turn is not open')
  law(
    view.some(({ entry }) => entry === question),
    'the running question is not sent',
  )
  return fits
}

/**
 * A request begins with the whole one before, where no edit came between and no crash took back what it sent (C2.6).
 */
function beginsLikeBefore(chat: Chat, view: readonly ViewMessage[]): void {
  const edits = effectiveEdits(chat.log)
    .map(edit => edit.id)
    .join()
  const before = sentBefore.get(chat)
  const messages = view.map(({ message }) => JSON.stringify(message))
  if (before?.edits === edits && before.last === chat.log[before.length - 1]?.id)
    law(
      before.messages.every((message, at) => message === messages[at]),
      'a request does not begin like the one before',
    )
  sentBefore.set(chat, { edits, length: chat.log.length, last: chat.log.at(-1)?.id, messages })
}
const sentBefore = new WeakMap<Chat, { edits: string; length: number; last: Id | undefined; messages: string[] }>()

/** By itself a strategy compacts only from the size on that the meter and /context name. */
function cutsFromItsThreshold(chat: Chat, before: Log, added: readonly Entry[]): void {
  const cut = added.findIndex(
    entry => entry.type === 'cut' && (entry.reason === 'compact' || entry.reason === 'budget'),
  )
  if (cut < 0) return
  const threshold = chat.strategy.threshold(chat.window, chat.local)
  // An earlier step of the moment may have added some tokens: the notice of an excerpt.
  const { total } = requestSize([...before, ...added.slice(0, cut)], chat.env('onCall'))
  law(threshold === undefined || total >= threshold, `it compacts at ${total} tokens, and says ${threshold}`)
}

async function opened(chat: Chat): Promise<void> {
  law(
    (await runPipeline(chat.log, chat.strategy.onOpen ?? [], chat.env('onOpen'))).length === 0,
    'opening again adds something',
  )
}

/** What one moment edits is one group of its own, and lifting that group lifts exactly this. */
function isOneGroup(before: Log, added: readonly Entry[]): void {
  const edits = added.filter(isEdit)
  const [first] = edits
  if (first === undefined) return
  law(
    edits.every(edit => edit.group === first.group),
    'the edits of one moment have several groups',
  )
  law(
    !before.some(entry => isEdit(entry) && entry.group === first.group),
    'edits of another moment have the same group',
  )
  const undo: Entry = {
    type: 'undo',
    target: first.group,
    group: 'undo',
    id: 'undo',
    parent: added.at(-1)?.id ?? null,
    at: first.at,
  }
  const left = effectiveEdits([...before, ...added, undo]).filter(edit => edit.id !== undo.id)
  law(
    left.map(edit => edit.id).join() ===
      effectiveEdits(before)
        .map(edit => edit.id)
        .join(),
    'undo of a group does not lift exactly it',
  )
}

function growsOnly(before: Log, after: Log): void {
  law(after.length >= before.length && before.every((entry, at) => after[at] === entry), 'an earlier entry has changed')
  for (const [at, entry] of after.entries())
    law(entry.parent === (after[at - 1]?.id ?? null), 'an entry has another parent than the one before it')
}

/** Every result behind its call, every call with its result, in the same block. */
function isLegal(view: readonly ViewMessage[]): void {
  let open: string[] = []
  for (const { message } of view) {
    if (message.role === 'tool') {
      const at = open.indexOf(message.toolCallId)
      law(at >= 0, 'a result without its call is sent')
      open.splice(at, 1)
      continue
    }
    law(open.length === 0, 'a call without its result is sent')
    open = message.role === 'assistant' ? (message.toolCalls ?? []).map(made => made.id) : []
    law(new Set(open).size === open.length, 'an id comes twice in one answer')
  }
  law(open.length === 0, 'a call without its result is sent last')
}

/** Every chat here begins with a question, so what is sent does too, but for what a person pinned (C4.5). */
function stepsHaveTheirQuestion(log: Log): void {
  const view = modelView(log).filter(({ kind }) => kind !== 'summary')
  if (view.some(({ pinned }) => pinned)) return
  law(view[0] === undefined || view[0].message.role === 'user', 'steps are sent without their question')
}

function sameAfterReload(log: Log): void {
  law(
    JSON.stringify(modelView(reread(log))) === JSON.stringify(modelView(log)),
    'the view differs after a round through a file',
  )
}

/** After an undo the strategy by itself makes no edit of the same kind for the same target. */
async function undoneStaysUndone(chat: Chat, before: Log): Promise<void> {
  const undo = chat.log.at(-1)
  if (undo?.type !== 'undo' || before.at(-1) === undo) return
  const lifted = before.filter(isEdit).filter(edit => edit.group === undo.target && edit.type !== 'undo')
  for (const moment of ['onTurn', 'onCall'] as const) {
    const added = await runPipeline(chat.log, chat.strategy[moment] ?? [], chat.env(moment))
    for (const edit of added) {
      if (edit.type === 'shorten')
        law(
          !lifted.some(other => other.type === 'shorten' && other.target === edit.target && other.part === edit.part),
          'an undone shortening is made again',
        )
      if (edit.type === 'cut')
        law(!lifted.some(other => other.type === 'cut' && other.before === edit.before), 'an undone cut is made again')
      if (edit.type === 'strip')
        law(
          !lifted.some(other => other.type === 'strip' && other.before === edit.before),
          'an undone strip is made again',
        )
    }
  }
}

/**
 * What is not sent, or not whole, is named by a path that is sent; but for `clear`, `open` and the last resort, and for
 * stripped turns.
 */
function isReachable(chat: Chat): void {
  const { log } = chat
  const view = modelView(log)
  for (const { message, shortened } of view)
    if (shortened !== undefined)
      law(JSON.stringify(message).includes(shortened.path), 'a shortened text does not name its path')
  const { from, cut } = boundaryOf(log)
  const summary = effectiveSummary(log)
  if (
    cut === null ||
    cut.reason === 'clear' ||
    cut.reason === 'open' ||
    cut.reason === 'last resort' ||
    summary?.of !== cut.id
  )
    return
  const shown = new Set(view.flatMap(({ entry }) => entry ?? []))
  for (const fact of log.slice(0, from).filter((entry): entry is FactEntry => isFact(entry) && !shown.has(entry.id))) {
    const place = chat.place(fact.id)
    law(
      place !== undefined &&
        summary.guide.some(
          ({ path, from: first, to }) =>
            path === `dialog/${place.day}.jsonl` && first <= place.line && place.line <= to,
        ),
      'a fact behind the cut is not named by the guide',
    )
  }
  law(
    view.some(({ message }) => summary.guide.every(({ path }) => message.content.includes(path))),
    'the guide is not sent',
  )
}

/** Lifting all groups gives the view of the facts alone, byte for byte. */
function undoOfEverything(chat: Chat): void {
  for (let n = 0; undoTarget(chat.log) !== null; n++) {
    law(n < 10_000, 'undo has no end')
    chat.undo()
  }
  law(
    JSON.stringify(modelView(chat.log)) === JSON.stringify(modelView(chat.log.filter(isFact))),
    'after undo of everything the view is not the one before',
  )
}

function law(holds: boolean, broken: string): void {
  if (!holds) throw new Error(broken)
}
