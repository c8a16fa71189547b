/**
 * Entries out of JSON that someone else wrote: each field is checked. Throws `bad_input`, or `undefined` for a type
 * that we do not know.
 */
import { codes } from '../../errors.ts'
import { FieldReader, type JsonObject } from './json-fields.ts'
import { shortenReasons } from '../entry.ts'
import type { Aside, AssistantFact, Attachment, Edit, Fact, HugeTextParts, NewEntry } from '../entry.ts'
import type { StopReason, ToolCall, Usage } from '../message.ts'

export type ParsedEntry = { entry: NewEntry; extras: string[] }

const stops: readonly StopReason[] = ['stop', 'length', 'calls', 'filtered', 'stopped', 'interrupted', 'failed']

/** The stop reason of an answer whose line does not say it. */
export function usualStop(calls: readonly ToolCall[]): StopReason {
  return calls.length > 0 ? 'calls' : 'stop'
}

/** The fact of a message (C9.4); undefined for a role that is none of ours, `system` for one. */
export function readMessage(message: FieldReader): ParsedEntry | undefined {
  const role = message.text('role')
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return undefined
  const text = message.text('content')
  const huge = readHuge(message)
  const unread: string[] = []
  let entry: Fact
  if (role === 'user') {
    const attachments = message.has('attachments')
      ? message.objects('attachments').map(item => readAttachment(item, unread))
      : []
    entry = { type: 'user', text, ...(attachments.length > 0 ? { attachments } : {}), ...huge }
  } else if (role === 'tool') {
    entry = {
      type: 'result',
      callId: message.text('toolCallId'),
      tool: message.has('name') ? message.text('name') : '',
      text,
      isError: message.has('isError') && message.boolean('isError'),
      ...huge,
    }
  } else entry = readAnswer(message, text, huge, unread)
  message.raw('timestamp') // where other programs put it; the line's own wins
  return { entry, extras: [...unread, ...message.extras()] }
}

function readAnswer(message: FieldReader, text: string, huge: HugeTextParts, unread: string[]): Fact {
  const calls = message.has('toolCalls') ? message.objects('toolCalls').map(item => readCall(item, unread)) : []
  const said = message.has('stop') ? message.text('stop') : usualStop(calls)
  const stop = stops.find(it => it === said)
  if (stop === undefined) unread.push('message.stop')
  const usage = message.has('usage') ? readUsage(message.object('usage'), unread) : undefined
  return {
    type: 'assistant',
    text,
    ...(message.has('reasoningContent') ? { reasoning: message.text('reasoningContent') } : {}),
    ...readDetails(message),
    calls,
    model: message.has('model') ? message.text('model') : '',
    local: message.has('local') && message.boolean('local'),
    stop: stop ?? usualStop(calls),
    ...(usage ? { usage } : {}),
    ...huge,
  }
}

/** Without a mark of where they came from they go back to nobody. */
function readDetails(message: FieldReader): Pick<AssistantFact, 'details'> {
  if (!message.has('reasoningDetails')) return {}
  const value = message.raw('reasoningDetails')
  JSON.stringify(value) // throws where it is nested so deeply that it could not be written again
  return { details: { from: message.has('reasoningFrom') ? message.text('reasoningFrom') : '', value } }
}

function readCall(item: FieldReader, unread: string[]): ToolCall {
  const made = item.object('function')
  const call = { id: item.text('id'), name: made.text('name'), arguments: made.text('arguments') }
  item.raw('type') // always "function" where it is there
  unread.push(...item.extras(), ...made.extras())
  return call
}

function readUsage(usage: FieldReader, unread: string[]): Usage {
  const read: Usage = { input: usage.number('input') }
  for (const name of ['cacheRead', 'cacheWrite', 'output', 'cost'] as const)
    if (usage.has(name)) read[name] = usage.number(name)
  unread.push(...usage.extras())
  return read
}

function readAttachment(item: FieldReader, unread: string[]): Attachment {
  const span = item.has('span') ? item.list('span').filter(it => typeof it === 'number') : []
  const [from, to] = span
  const read: Attachment = {
    name: item.text('name'),
    mime: item.text('mime'),
    bytes: item.number('bytes'),
    ...(item.has('blob') ? { blob: item.text('blob') } : {}),
    ...(from !== undefined && to !== undefined ? { span: [from, to] as const } : {}),
  }
  unread.push(...item.extras())
  return read
}

function readHuge(message: FieldReader): HugeTextParts {
  if (!message.has('rest')) return {}
  const rest = message.object('rest')
  return {
    ...(message.has('tail') ? { tail: message.text('tail') } : {}),
    rest: {
      bytes: rest.number('bytes'),
      lines: rest.number('lines'),
      ...(rest.has('chars') ? { chars: rest.number('chars') } : {}),
    },
  }
}

/** An edit; undefined for a type that is none of ours. */
export function readEdit(entry: FieldReader): ParsedEntry | undefined {
  const edit = editOf(entry)
  return edit && { entry: edit, extras: entry.extras() }
}

function editOf(entry: FieldReader): Edit | undefined {
  const type = entry.text('type')
  switch (type) {
    case 'shorten':
      return {
        type,
        group: entry.text('group'),
        target: entry.text('target'),
        keep: entry.number('keep'),
        unit: entry.oneOf('unit', ['bytes', 'chars']),
        headShare: entry.number('headShare'),
        path: entry.text('path'),
        ...(entry.has('part') ? { part: entry.oneOf('part', ['text', 'arguments'] as const) } : {}),
        ...(entry.has('reason') ? { reason: entry.oneOf('reason', shortenReasons) } : {}),
      }
    case 'strip':
      return { type, group: entry.text('group'), before: entry.textOrNull('before') }
    case 'cut':
      return {
        type,
        group: entry.text('group'),
        before: entry.textOrNull('before'),
        ...(entry.has('pin') ? { pin: entry.text('pin') } : {}),
        reason: entry.oneOf('reason', ['turns', 'budget', 'compact', 'overflow', 'clear', 'open', 'last resort']),
      }
    case 'summary':
      return summaryOf(entry)
    case 'pin':
      return { type, group: entry.text('group'), target: entry.text('target'), on: entry.boolean('on') }
    case 'undo':
      return {
        type,
        group: entry.text('group'),
        target: entry.text('target'),
        ...(entry.has('by') ? { by: entry.oneOf('by', ['ladder'] as const) } : {}),
        ...(entry.has('act') && entry.boolean('act') ? { act: true as const } : {}),
      }
    default:
      return undefined
  }
}

function summaryOf(entry: FieldReader): Edit {
  const covers = entry.object('covers')
  const stats = entry.object('stats')
  return {
    type: 'summary',
    group: entry.text('group'),
    of: entry.text('of'),
    text: entry.text('text'),
    by: entry.oneOf('by', ['model', 'extractive', 'person']),
    place: entry.oneOf('place', ['own message', 'first question']),
    guide: entry
      .objects('guide')
      .map(line => ({ path: line.text('path'), from: line.number('from'), to: line.number('to') })),
    covers: { first: covers.text('first'), last: covers.text('last') },
    stats: {
      entries: stats.number('entries'),
      before: stats.number('before'),
      after: stats.number('after'),
      ...(stats.has('model') ? { model: stats.text('model') } : {}),
      ms: stats.number('ms'),
      ...(stats.has('unfollowed') && stats.boolean('unfollowed') ? { unfollowed: true as const } : {}),
      ...(stats.has('asked') ? { asked: stats.oneOf('asked', ['agent', 'person'] as const) } : {}),
    },
  }
}

/** An aside; undefined for a type that is none of ours. */
export function readAside(entry: FieldReader): ParsedEntry | undefined {
  const aside = asideOf(entry)
  return aside && { entry: aside, extras: entry.extras() }
}

function asideOf(entry: FieldReader): Aside | undefined {
  const type = entry.text('type')
  switch (type) {
    case 'note':
      return {
        type,
        code: entry.oneOf('code', codes),
        text: entry.text('text'),
        ...(entry.has('tokens') ? { tokens: entry.number('tokens') } : {}),
        ...(entry.has('data') ? { data: dataOf(entry) } : {}),
      }
    case 'memory':
      return {
        type,
        text: entry.text('text'),
        ...(entry.has('supersedes') ? { supersedes: entry.text('supersedes') } : {}),
        ...(entry.has('cut') ? { cut: entry.text('cut') } : {}),
        ...(entry.has('since') ? { since: entry.text('since') } : {}),
        ...(entry.has('reason') ? { reason: entry.oneOf('reason', ['overflow'] as const) } : {}),
      }
    case 'foreign':
      return { type, raw: entry.text('raw') }
    default:
      return undefined
  }
}

function dataOf(entry: FieldReader): JsonObject {
  entry.object('data') // throws where it is no object
  const data = entry.raw('data') as JsonObject
  JSON.stringify(data) // throws where it is nested so deeply that it could not be written again
  return data
}
