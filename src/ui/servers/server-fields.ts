/** A server as it is typed, and what is wrong with it. Pure. */
import type { Price, Server } from '../../core/ports/ports.ts'
import { addressOf } from '../../models/catalogue/address-or-key.ts'
import { isLocalAddress } from '../../models/catalogue/catalog.ts'

export type ServerFields = {
  name: string
  baseUrl: string
  key: string
  headers: string
  window: string
  models: string
  prices: string
  output: string
  dialect?: Server['dialect']
}

/** What a person can type wrongly. */
export type TypedField = Exclude<keyof ServerFields, 'dialect'>

export function serverFieldsOf(server: Server): ServerFields {
  return {
    name: server.name,
    baseUrl: server.baseUrl,
    key: '',
    headers: Object.entries(server.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    window: server.contextWindow?.toString() ?? '',
    models: '',
    prices: Object.entries(server.prices ?? {})
      .map(lineOf)
      .join('\n'),
    output: Object.entries(server.outputLimits ?? {})
      .map(([name, tokens]) => (name === '*' ? String(tokens) : `${name} ${tokens}`))
      .join('\n'),
    ...(server.dialect ? { dialect: server.dialect } : {}),
  }
}

/** The server that the fields say; `wrong` names fields that cannot be right. A key left empty stays as it was. */
export function serverOf(id: string, fields: ServerFields): { server: Server; wrong: TypedField[] } {
  const wrong: TypedField[] = []
  const baseUrl = addressOf(fields.baseUrl)
  if (!URL.canParse(baseUrl) || !/^https?:\/\//i.test(baseUrl)) wrong.push('baseUrl')
  const headers = headersOf(fields.headers)
  if (headers === undefined) wrong.push('headers')
  const window = fields.window.replaceAll(/[\s\u202f,_]/g, '')
  if (window !== '' && !/^[1-9]\d{2,8}$/.test(window)) wrong.push('window')
  const prices = pricesOf(fields.prices)
  if (prices === undefined) wrong.push('prices')
  const outputs = outputsOf(fields.output)
  if (outputs === undefined) wrong.push('output')
  const name = fields.name.trim() || (wrong.includes('baseUrl') ? '' : new URL(baseUrl).host)
  return {
    wrong,
    server: {
      id,
      name,
      baseUrl,
      models: fields.models
        .split(/[\n,]/)
        .map(line => line.trim())
        .filter(line => line !== ''),
      ...(fields.key.trim() === '' ? {} : { key: fields.key.trim() }),
      ...(headers === undefined || Object.keys(headers).length === 0 ? {} : { headers }),
      ...(prices === undefined || Object.keys(prices).length === 0 ? {} : { prices }),
      ...(outputs === undefined || Object.keys(outputs).length === 0 ? {} : { outputLimits: outputs }),
      ...(fields.dialect ? { dialect: fields.dialect } : {}),
      ...(window === '' || wrong.includes('window') ? {} : { contextWindow: Number(window) }),
    },
  }
}

/** Undefined where a line is no header. */
function headersOf(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n').filter(row => row.trim() !== '')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined || value === '') return undefined
    headers[name] = value
  }
  return headers
}

/** Undefined where a line is no price: a name, then two or three amounts. */
function pricesOf(text: string): Record<string, Price> | undefined {
  const rows: [string, Price][] = []
  for (const line of text.split('\n').filter(row => row.trim() !== '')) {
    const [, name, input, output, cacheRead] =
      /^\s*(\S+)\s+\$?(\d+(?:[.,]\d+)?)\s+\$?(\d+(?:[.,]\d+)?)(?:\s+\$?(\d+(?:[.,]\d+)?))?\s*$/.exec(line) ?? []
    if (name === undefined || input === undefined || output === undefined) return undefined
    rows.push([
      name,
      {
        input: amount(input),
        output: amount(output),
        ...(cacheRead === undefined ? {} : { cacheRead: amount(cacheRead) }),
      },
    ])
  }
  return Object.fromEntries(rows)
}

/** Undefined where a line is no limit: a number for all models, or a name and a number. */
function outputsOf(text: string): Record<string, number> | undefined {
  const rows: [string, number][] = []
  for (const line of text.split('\n').filter(row => row.trim() !== '')) {
    const [, name, tokens] = /^\s*(?:(\S+)\s+)?([1-9][\d\u202f,_]{1,9})\s*$/.exec(line) ?? []
    if (tokens === undefined) return undefined
    rows.push([name ?? '*', Number(tokens.replace(/[\u202f,_]/g, ''))])
  }
  return Object.fromEntries(rows)
}

function amount(text: string): number {
  return Number(text.replace(',', '.'))
}

function lineOf([name, { input, output, cacheRead }]: [string, Price]): string {
  return [name, input, output, ...(cacheRead === undefined ? [] : [cacheRead])].join(' ')
}

/** A page over https may not call plain http, this computer excepted. */
export function isBlockedAsInsecure(page: string, baseUrl: string): boolean {
  if (page !== 'https:' || !URL.canParse(baseUrl)) return false
  return new URL(baseUrl).protocol === 'http:' && !isLocalAddress(baseUrl)
}
