/** ChatGPT's export: each chat a tree of nodes, most of which hold a message. Pure; never throws. */
import type { StopReason } from '../../../log/message.ts'
import { isObject, type JsonObject } from '../../../log/file-format/json-fields.ts'
import { GatheredAnswer, ChatIds, foreignItem, inRow, userItem } from '../../shape/answer.ts'
import { chatByPiece, chatOf, type PieceRead } from '../../shape/chat-by-piece.ts'
import {
  asForest,
  filledText,
  idOf,
  joinTexts,
  listOf,
  madeId,
  objectOf,
  rawJson,
  stringOf,
  timeOf,
} from '../../shape/fields.ts'
import type { ForeignItem } from '../../shape/foreign-chat.ts'
import type { Format } from '../../shape/reader.ts'
import { callInRow, contentOf, thoughtsOf } from './content.ts'

/** Reads `conversations.json` and its parts. What names the chats that are shared by a link holds no chat. */
export const chatgpt: Format = chatByPiece('chatgpt', () => readChat)

type MappingNode = { id: string; parent: string | null; message: JsonObject; role: Role }
type Role = 'none' | 'system' | 'user' | 'hidden' | 'hidden user' | 'assistant' | 'tool' | 'unknown'

function readChat(chat: JsonObject): PieceRead {
  const id = idOf(chat['conversation_id']) ?? idOf(chat['id'])
  const { mapping } = chat
  if (!isObject(mapping)) return isLink(chat) ? undefined : { id, why: 'no mapping' }
  const nodes = nodesOf(mapping)
  const tree = new TreeReader(nodes, filledText(chat['default_model_slug']))
  tree.read()
  return chatOf({
    id: id ?? madeId(chat),
    title: filledText(chat['title']),
    createdAt: timeOf(chat['create_time']),
    updatedAt: timeOf(chat['update_time']),
    system: joinTexts(tree.system),
    leaf: tree.tails.get(stringOf(chat['current_node'])),
    items: tree.items,
  })
}

/** An entry of the list of shared chats: a title and two ids, without a time. */
const isLink = (chat: JsonObject): boolean =>
  !('mapping' in chat) &&
  !('create_time' in chat) &&
  !('update_time' in chat) &&
  idOf(chat['conversation_id']) !== undefined

/** The nodes, each with its branch behind it, and siblings in the order that their parent says. */
function nodesOf(mapping: JsonObject): MappingNode[] {
  const listedBy = new Map<string, string>()
  for (const [id, node] of Object.entries(mapping))
    for (const child of listOf(objectOf(node)['children']))
      if (typeof child === 'string' && !listedBy.has(child)) listedBy.set(child, id)
  const known = Object.entries(mapping).map(([id, node]): MappingNode => {
    const { parent, message } = objectOf(node)
    const role = isObject(message) ? roleOf(message) : 'none'
    return { id, parent: idOf(parent) ?? listedBy.get(id) ?? null, message: objectOf(message), role }
  })
  const forest = asForest(known)
  const byId = new Map(forest.map(node => [node.id, node]))
  const below = childrenOf(forest)
  const sorted: MappingNode[] = []
  const open = forest.filter(({ parent }) => parent === null).toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    sorted.push(node)
    const own = below.get(node.id) ?? []
    const siblings = own.length > 1 ? inOrderSaid(own, mapping[node.id], byId) : own
    for (let i = siblings.length - 1; i >= 0; i--) open.push(siblings[i]!)
  }
  return sorted
}

/** Siblings in the order in which their parent lists them; whom it does not list stand last. */
function inOrderSaid(
  siblings: readonly MappingNode[],
  parent: unknown,
  byId: ReadonlyMap<string, MappingNode>,
): readonly MappingNode[] {
  const listed = listOf(objectOf(parent)['children']).flatMap(child => byId.get(stringOf(child)) ?? [])
  const own = new Set(siblings)
  return [...new Set([...listed.filter(node => own.has(node)), ...siblings])]
}

function childrenOf(nodes: readonly MappingNode[]): Map<string, MappingNode[]> {
  const below = new Map<string, MappingNode[]>()
  for (const node of nodes) {
    if (node.parent === null) continue
    const others = below.get(node.parent)
    if (others === undefined) below.set(node.parent, [node])
    else others.push(node)
  }
  return below
}

/** So many calls wait over a parting of branches: no answer has more, and all of them in each branch took too long. */
const mostOpen = 100

class TreeReader {
  readonly items: ForeignItem[] = []
  readonly system: string[] = []
  /** The item that each node's children hang on. */
  readonly tails = new Map<string, string | null>()
  readonly #nodes: readonly MappingNode[]
  readonly #below: ReadonlyMap<string, readonly MappingNode[]>
  readonly #model: string | undefined
  readonly #ids = new ChatIds()
  /** Calls that wait for a result where an answer parts into branches, by the node before the branches. */
  readonly #open = new Map<string, GatheredAnswer['open']>()

  constructor(nodes: readonly MappingNode[], model: string | undefined) {
    this.#nodes = nodes
    this.#below = childrenOf(nodes)
    this.#model = model
  }

  read(): void {
    for (const node of this.#nodes) if (!this.tails.has(node.id)) this.#readFrom(node)
  }

  #readFrom(node: MappingNode): void {
    const above = node.parent === null ? null : (this.tails.get(node.parent) ?? null)
    const open = this.#open.get(node.parent ?? '') ?? []
    const { role, message } = node
    if (role === 'assistant' || role === 'tool') return this.#readAnswer(node, above, open)
    if (role === 'system') this.system.push(contentOf(message).text)
    if (role === 'none' || role === 'system') {
      this.#open.set(node.id, open)
      this.tails.set(node.id, above)
      return
    }
    const row = inRow(
      role === 'user' ? this.#userItems(node.id, message) : [this.#foreign(node.id, message, whyOf(role))],
      above,
    )
    for (const item of row) this.items.push(item)
    this.tails.set(node.id, row.at(-1)?.id ?? above)
  }

  #userItems(id: string, message: JsonObject): ForeignItem[] {
    const { text, files, unknown } = contentOf(message)
    const at = timeOf(message['create_time'])
    const parts = unknown.map(part => this.#foreign(`${id}/part`, part, 'unknown'))
    if (text.trim() === '' && files.length === 0) return parts
    return [...parts, userItem(this.#ids.item(id), { text, at, files })]
  }

  #foreign(id: string, row: unknown, why: 'hidden' | 'unknown'): ForeignItem {
    return foreignItem(this.#ids.item(id), row, why, timeOf(objectOf(row)['create_time']))
  }

  /** Reads a row of an answer and all that follow it without a branch and without a word of the user. */
  #readAnswer(first: MappingNode, above: string | null, open: GatheredAnswer['open']): void {
    const rows: MappingNode[] = []
    for (let node: MappingNode | undefined = first; node !== undefined;) {
      rows.push(node)
      const next: readonly MappingNode[] = this.#below.get(node.id) ?? []
      const [only] = next
      node = next.length === 1 && only?.role !== 'user' && only?.role !== 'hidden user' ? only : undefined
    }
    const own = rows.find(({ role }) => role === 'assistant') ?? first
    const answer = new GatheredAnswer(own.id, this.#ids, first.role === 'tool' ? open : [])
    let model: string | undefined
    let stop: StopReason | undefined
    let at: number | undefined
    for (const [i, { id, message, role }] of rows.entries()) {
      at ??= timeOf(message['create_time'])
      if (role === 'system') this.system.push(contentOf(message).text)
      else if (role === 'assistant') {
        const before = rows[i - 1]
        const goesOn = before?.role === 'assistant' && stopOf(before.message) === 'length'
        addAnswerRow(answer, { id, message, goesOn })
        model = filledText(objectOf(message['metadata'])['model_slug']) ?? model
        stop = stopOf(message)
      } else if (role === 'tool') addToolRow(answer, id, message)
      else if (role !== 'none') answer.keep(id, message, whyOf(role), timeOf(message['create_time']))
    }
    model ??= this.#model
    const items = answer.items(above, {
      ...(at !== undefined && { at }),
      ...(model !== undefined && { model }),
      ...(stop !== undefined && { stop }),
    })
    for (const item of items) this.items.push(item)
    for (const { id } of rows) this.tails.set(id, items.at(-1)?.id ?? above)
    this.#open.set(rows.at(-1)!.id, answer.open.slice(-mostOpen))
  }
}

const whyOf = (role: Role): 'hidden' | 'unknown' => (role === 'unknown' ? 'unknown' : 'hidden')

function roleOf(message: JsonObject): Role {
  const metadata = objectOf(message['metadata'])
  const type = objectOf(message['content'])['content_type']
  const role = objectOf(message['author'])['role'] ?? message['role']
  const isHidden =
    metadata['is_visually_hidden_from_conversation'] === true || metadata['is_user_system_message'] === true
  if (isHidden || type === 'user_editable_context' || type === 'model_editable_context')
    return role === 'user' ? 'hidden user' : 'hidden'
  // "Thought for 4s": told by the thoughts themselves.
  if (type === 'reasoning_recap') return 'none'
  return role === 'system' || role === 'user' || role === 'assistant' || role === 'tool' ? role : 'unknown'
}

type AnswerRow = { id: string; message: JsonObject; goesOn: boolean }

/** `goesOn`: the row before it was cut off at its limit, and this one continues it. */
function addAnswerRow(answer: GatheredAnswer, { id, message, goesOn }: AnswerRow): void {
  const content = objectOf(message['content'])
  if (content['content_type'] === 'thoughts') return answer.reason(thoughtsOf(content))
  const to = filledText(message['recipient'])
  if (to !== undefined && to !== 'all' && to !== 'user' && to !== 'assistant') return answer.call(callInRow(message))
  const { text, files, unknown } = contentOf(message)
  answer.attach(files)
  for (const part of unknown) answer.keep(`${id}/part`, part, 'unknown')
  if (message['channel'] === 'analysis') return answer.reason(text)
  if (content['content_type'] === 'code') {
    if (text !== '') answer.say(`\`\`\`${stringOf(content['language']).replace(/^unknown$/, '')}\n${text}\n\`\`\``)
    return
  }
  answer.say(text, goesOn)
  if (text === '' && files.length === 0 && unknown.length === 0 && !isEmpty(content))
    answer.keep(id, message, 'unknown')
}

/** Whether nothing is said in it: a place that was made for an answer that did not come. */
const isEmpty = (content: JsonObject): boolean =>
  Object.entries(content).every(([name, value]) =>
    name === 'parts'
      ? listOf(value).every(part => part === null || part === '')
      : ['content_type', 'language', 'response_format_name'].includes(name) || value === null || value === '',
  )

function addToolRow(answer: GatheredAnswer, id: string, message: JsonObject): void {
  const { text, files, unknown } = contentOf(message)
  const content = objectOf(message['content'])
  const isError = content['content_type'] === 'system_error'
  const tool = filledText(objectOf(message['author'])['name'])
  const words = text === '' && files.length === 0 && !isEmpty(content) ? rawJson(content) : text
  for (const part of unknown) answer.keep(`${id}/part`, part, 'unknown')
  if (answer.result({ id, tool, text: words, isError }, files)) return
  // Nobody called the tool: the app gave the model something by itself. Its pictures are shown with the answer.
  answer.attach(files)
  if (words !== '') answer.keep(id, message, 'injected', timeOf(message['create_time']))
}

function stopOf(message: JsonObject): StopReason | undefined {
  const { finish_details } = objectOf(message['metadata'])
  switch (objectOf(finish_details)['type']) {
    case 'stop':
      return 'stop'
    case 'max_tokens':
      return 'length'
    case 'interrupted':
      return 'stopped'
    default:
      return message['status'] === 'in_progress' ? 'interrupted' : undefined
  }
}
