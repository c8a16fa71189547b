/** Reading the fields of a JSON object that someone else wrote. Throws `bad_input` with the name of the field. */
import { AgentError } from '../../errors.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A reader of one object: what was not read is an extra field. `where` is said in front of a field's name. */
export class FieldReader {
  readonly #object: JsonObject
  readonly #where: string
  readonly #read = new Set<string>()
  constructor(value: unknown, where = '') {
    if (!isObject(value)) throw new AgentError('bad_input', `${where === '' ? 'line' : where} is not an object`)
    this.#object = value
    this.#where = where === '' ? '' : `${where}.`
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name) && this.#object[name] !== undefined
  }

  raw(name: string): unknown {
    this.#read.add(name)
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
  }

  text(name: string): string {
    const value = this.raw(name)
    return typeof value === 'string' ? value : this.#wrong(name, value, 'a text')
  }

  /** A number that is neither NaN nor infinite. */
  number(name: string): number {
    const value = this.raw(name)
    return typeof value === 'number' && Number.isFinite(value) ? value : this.#wrong(name, value, 'a number')
  }

  boolean(name: string): boolean {
    const value = this.raw(name)
    return typeof value === 'boolean' ? value : this.#wrong(name, value, 'true or false')
  }

  /** One of the given texts. */
  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.raw(name)
    return allowed.find(it => it === value) ?? this.#wrong(name, value, `one of ${allowed.join(', ')}`)
  }

  /** A text that may be null. */
  textOrNull(name: string): string | null {
    return this.raw(name) === null ? null : this.text(name)
  }

  object(name: string): FieldReader {
    return new FieldReader(this.raw(name), `${this.#where}${name}`)
  }

  list(name: string): unknown[] {
    const value = this.raw(name)
    return Array.isArray(value) ? value : this.#wrong(name, value, 'a list')
  }

  /** Each item of a list of objects. */
  objects(name: string): FieldReader[] {
    return this.list(name).map((item, i) => new FieldReader(item, `${this.#where}${name}[${i}]`))
  }

  /** Names of the fields that were not read. */
  extras(): string[] {
    return Object.keys(this.#object)
      .filter(name => !this.#read.has(name))
      .map(name => `${this.#where}${name}`)
  }

  #wrong(name: string, value: unknown, wanted: string): never {
    throw new AgentError(
      'bad_input',
      value === undefined ? `${this.#where}${name} is missing` : `${this.#where}${name} is not ${wanted}`,
    )
  }
}

/** Whether a value is a JSON object (no list, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
