/**
 * Egress control: what a remote model may be given of other chats and of memory. Nothing without the person's consent;
 * what never left this device needs a separate consent.
 */
import { codeOf } from '../../errors.ts'
import type { LogRow } from '../../log/entry.ts'
import { strictestMark, type EgressMark } from '../../log/egress-mark.ts'
import type { ToolCall } from '../../log/message.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import type { PermissionRequest } from '../api/api.ts'
import { chosenModel, readDefaults } from '../session/defaults.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { readableArchive, searchView, type ArchiveReader } from '../archive/readable-archive.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { parseArguments, type Tool, type ToolContext } from '../tools/tool.ts'

/** Grants of a chat, besides those of its tools: what a remote model may read. */
export const egressGrants = {
  /** Other chats, notes, files and MEMORY.md; without local-only data. */
  others: 'other chats',
  /** These too. */
  local: 'chats of this device',
  /** This chat itself, although it stayed on this device until now. */
  own: 'this chat',
} as const

/** Stands for the request whether this chat may leave the device; no model made this call. */
const egressCall: ToolCall = { id: 'this chat', name: '', arguments: '{}' }
export const egressRequest: PermissionRequest = { call: egressCall, tool: '', egress: 'this chat' }

/** Whether this chat may go to a remote model without asking again. */
export function hasEgressConsent({ leaves, allowed }: Pick<SessionInfo, 'leaves' | 'allowed'>): boolean {
  return leaves === 'asks' || allowed?.includes(egressGrants.own) === true
}

/** Whether a local-only chat would go to a remote model without the person's consent. */
export function needsEgressConsent(
  { info, rows }: { info: SessionInfo; rows: readonly Pick<LogRow, 'entry'>[] },
  model: { local: boolean },
): boolean {
  if (model.local || hasEgressConsent(info)) return false
  // What nothing has answered yet is sent to the model that the person sees chosen.
  return info.leaves !== undefined || rows.some(({ entry }) => entry.type === 'assistant')
}

/**
 * Whether what tools read in this chat is sent to a remote model, now or with a later question; decided by its row and
 * the models chosen for it.
 */
export async function readsForRemoteModel(
  { deps: { models, store } }: AgentRuntime,
  info: SessionInfo,
): Promise<boolean> {
  if (hasEgressConsent(info)) return true
  const list = await models.list()
  const chosen = [chosenModel(list, info, await readDefaults(store)), list.find(({ id }) => id === info.summariser)]
  return chosen.some(model => model?.local === false) // one that is gone is sent nothing
}

/**
 * The question that a reading tool asks for a model elsewhere, once in a chat; undefined where it would be given
 * nothing but what is this chat's. That is seen by looking and not from the shape of a path: a file of a day holds the
 * lines of many chats.
 */
export async function egressRequestForTool(
  store: LogStore,
  tool: Tool,
  call: ToolCall,
  { id, allowed = [] }: Pick<SessionInfo, 'id' | 'allowed'>,
): Promise<PermissionRequest | undefined> {
  if (allowed.includes(egressGrants.others)) return undefined
  if (tool.kind !== 'reads' || tool.dryRun === 'reads nothing stored') return undefined
  const parsed = parseArguments(call.arguments)
  if ('fault' in parsed) return undefined
  let ofOthers = false
  const archive = readableArchive(store, {
    session: id,
    access: 'all',
    onRead: () => {
      ofOthers = true
    },
  })
  try {
    await tool.dryRun(parsed.args, { archive, session: id })
  } catch (thrown) {
    if (codeOf(thrown) === 'new_version') throw thrown
    // What cannot be read is not given; the run will tell the model why.
  }
  return ofOthers ? { call, tool: tool.name, egress: 'other chats' } : undefined
}

export type ToolReadOptions = {
  store: LogStore
  search: Pick<SearchIndex, 'find'>
  info: SessionInfo
  /** A remote model reads the results, now or when it next answers here. */
  remote: boolean
  /** The model that asks is local: no server sees its queries. */
  local: boolean
  /** A file that the person has just allowed to be changed. */
  file?: string
}

/** What the tools of one call may read, and whether they were given local-only data. */
export function toolReadAccess({
  store,
  search,
  info,
  remote,
  local,
  file,
}: ToolReadOptions): Pick<ToolContext, 'archive' | 'search'> & { gotStaying(): boolean } {
  const { allowed = [] } = info
  let staying = false
  const reader: ArchiveReader = {
    session: info.id,
    access: !remote
      ? 'all'
      : !allowed.includes(egressGrants.others)
        ? 'own'
        : allowed.includes(egressGrants.local)
          ? 'all'
          : 'asks',
    ...(file === undefined ? {} : { file }),
    // What a chat has read may be in what it writes: of several sources the strictest counts.
    writeMark: (): EgressMark => strictestMark(info.leaves, staying || info.readStaying ? 'stays' : 'asks'),
    onRead: mark => {
      staying ||= mark === 'stays'
    },
  }
  return {
    archive: readableArchive(store, reader),
    search: {
      find: async (query, options) =>
        search.find(query, {
          ...options,
          ...(local ? { localOnly: true } : {}),
          view: await searchView(store, reader),
        }),
    },
    gotStaying: () => staying,
  }
}
