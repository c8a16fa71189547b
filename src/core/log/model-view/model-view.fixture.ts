/** A short talk, the edits that can be made to it, and what of it is sent. */
import { modelView } from './model-view.ts'
import { a, e, r, u } from '../log.fixture.ts'
import type { Log } from '../entry.ts'

export const sentLines = (log: Log, options = {}): string[] =>
  modelView(log, options).map(
    ({ message, entry }) =>
      `${entry ?? '-'} ${message.role} ${message.content}${
        message.role === 'assistant' && message.toolCalls ? ` [${message.toolCalls.map(({ id }) => id).join()}]` : ''
      }`,
  )
export const shortTalk = [u('q1'), a('look', ['c', 'd']), r('c', 'one'), r('d', 'two'), a('a1'), u('q2'), a('a2')]
export const cutEdit = (
  id: string,
  before: string | null,
  reason: 'compact' | 'clear' = 'compact',
  pin?: string,
): ReturnType<typeof e> => e({ type: 'cut', before, reason, ...(pin === undefined ? {} : { pin }) }, id)
export const pinEdit = (target: string, on = true, id = `p${target}${on}`): ReturnType<typeof e> =>
  e({ type: 'pin', target, on }, id)
export const shortenEdit = (target: string, keep: number, id: string, part?: 'arguments'): ReturnType<typeof e> =>
  e({ type: 'shorten', target, keep, unit: 'bytes', headShare: 50, path: 'x', ...(part ? { part } : {}) }, id)
