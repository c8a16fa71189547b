/**
 * What of other chats and of memory a model elsewhere may be given: nothing before the person has said yes, and what
 * never left this device only by a yes of its own.
 */
import { codeOf } from '../../errors.ts'
import type { Row } from '../../log/entry.ts'
import { strictest, type Leaves } from '../../log/egress-mark.ts'
import type { ToolCall } from '../../log/message.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import type { Question } from '../api/api.ts'
import { chosenModel, readDefaults } from '../session/defaults.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { readableArchive, searchView, type Reader } from '../archive/readable-archive.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { parseArguments, type Tool, type ToolContext } from '../tools/tool.ts'

/** Grants of a chat, beside those of its tools: what a model elsewhere may read. */
export const grants = {
  /** Other chats, notes, files and MEMORY.md; without what stays on this device. */
  others: 'other chats',
  /** These too. */
  local: 'chats of this device',
  /** This chat itself, although it stayed on this device until now. */
  own: 'this chat',
} as const

/** The call under which the question is asked whether this chat may leave the device; no model made it. */
const leaving: ToolCall = { id: 'this chat', name: '', arguments: '{}' }
export const leavingQuestion: Question = { call: leaving, tool: '', reach: 'this chat' }

/** Whether this chat goes to a model elsewhere without a question of its own. */
export function leavesFreely({ leaves, allowed }: Pick<SessionInfo, 'leaves' | 'allowed'>): boolean {
  return leaves === 'asks' || allowed?.includes(grants.own) === true
}

/** Whether a chat that stays on this device would go to a model elsewhere before the person has said yes to that. */
export function leavesUnasked(
  { info, rows }: { info: SessionInfo; rows: readonly Pick<Row, 'entry'>[] },
  model: { local: boolean },
): boolean {
  if (model.local || leavesFreely(info)) return false
  // What nothing has answered yet is sent to the model that the person sees chosen.
  return info.leaves !== undefined || rows.some(({ entry }) => entry.type === 'assistant')
}

/**
 * Whether what tools read in this chat is sent to a model elsewhere, now or with a later question: as its row and the
 * models chosen for it tell.
 */
export async function readsForElsewhere({ parts: { models, store } }: Kit, info: SessionInfo): Promise<boolean> {
  if (leavesFreely(info)) return true
  const list = await models.list()
  const chosen = [chosenModel(list, info, await readDefaults(store)), list.find(({ id }) => id === info.summariser)]
  return chosen.some(model => model?.local === false) // one that is gone is sent nothing
}

/**
 * The question that a reading tool asks for a model elsewhere, once in a chat; undefined where it would be given
 * nothing but what is this chat's. That is seen by looking and not from the shape of a path: a file of a day holds the
 * lines of many chats.
 */
export async function reachQuestion(
  store: LogStore,
  tool: Tool,
  call: ToolCall,
  { id, allowed = [] }: Pick<SessionInfo, 'id' | 'allowed'>,
): Promise<Question | undefined> {
  if (allowed.includes(grants.others) || !tool.look) return undefined
  const parsed = parseArguments(call.arguments)
  if ('fault' in parsed) return undefined
  let ofOthers = false
  const archive = readableArchive(store, {
    session: id,
    sees: 'all',
    gave: () => {
      ofOthers = true
    },
  })
  try {
    await tool.look(parsed.args, { archive, session: id })
  } catch (thrown) {
    if (codeOf(thrown) === 'new_version') throw thrown
    // What cannot be read is not given; the run will tell the model why.
  }
  return ofOthers ? { call, tool: tool.name, reach: 'other chats' } : undefined
}

export type Reading = {
  store: LogStore
  search: Pick<SearchIndex, 'find'>
  info: SessionInfo
  /** A model elsewhere reads the results, now or when it next answers here. */
  away: boolean
  /** The model that asks runs on this device: no server elsewhere hears its questions. */
  local: boolean
  /** A file that the person has just allowed to be changed. */
  file?: string
}

/** What the tools of one call may read, and whether they were given what stays. */
export function toolReading({
  store,
  search,
  info,
  away,
  local,
  file,
}: Reading): Pick<ToolContext, 'archive' | 'search'> & { gotStaying(): boolean } {
  const { allowed = [] } = info
  let staying = false
  const reader: Reader = {
    session: info.id,
    sees: !away ? 'all' : !allowed.includes(grants.others) ? 'own' : allowed.includes(grants.local) ? 'all' : 'asks',
    ...(file === undefined ? {} : { file }),
    // What a chat has read may be in what it writes: of several sources the strictest counts.
    writes: (): Leaves => strictest(info.leaves, staying || info.readStaying ? 'stays' : 'asks'),
    gave: mark => {
      staying ||= mark === 'stays'
    },
  }
  return {
    archive: readableArchive(store, reader),
    search: {
      find: async (query, options) =>
        search.find(query, { ...options, ...(local ? { stays: true } : {}), view: await searchView(store, reader) }),
    },
    gotStaying: () => staying,
  }
}
