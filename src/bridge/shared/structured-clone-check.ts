/**
 * Checks at compile time that everything in the API can be cloned between threads (structured clone). Types only,
 * except for the check itself.
 */
import type { AgentApi, AgentEvent } from '../../core/agent/api/api.ts'

type Leaf = string | number | boolean | bigint | null | undefined | void | Uint8Array | Uint32Array

/**
 * Functions, symbols and promises inside data cannot be copied; `unknown` is data that was stored, and so was copied
 * before.
 */
type Cloneable<T> = unknown extends T
  ? true
  : T extends Leaf
    ? true
    : T extends ((...args: never[]) => unknown) | symbol | PromiseLike<unknown>
      ? false
      : T extends object
        ? false extends { [Key in keyof T]-?: Cloneable<T[Key]> }[keyof T]
          ? false
          : true
        : false

/**
 * The listener of `subscribe` is the one thing that is not copied but proxied, the port of `connectEngine` the one that
 * is transferred.
 */
type Methods = Omit<AgentApi, 'subscribe' | 'connectEngine'>
type Offender = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => Promise<infer Answer>
    ? false extends Cloneable<Args[number]> | Cloneable<Answer>
      ? Name
      : never
    : Name
}[keyof Methods]

/** Does not compile when a method or an event carries something that cannot be copied; the message names it. */
export const apiIsCloneable: [Offender] extends [never] ? true : Offender = true
export const eventsAreCloneable: false extends Cloneable<AgentEvent> ? 'an event cannot be copied' : true = true
