import { readdirSync, readFileSync } from 'node:fs'
import { parse, type AST } from 'svelte/compiler'
import { describe, expect, it } from 'vitest'

/**
 * Every place that takes or shows text which is not the app's own reads from the side of its own first letter. Found in
 * the markup: what is no word of the app, no number and no day is taken for such a text.
 */
const folder = new URL('.', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.svelte'))

type Node = {
  type: string
  start: number
  end: number
  name?: string
  attributes?: Node[]
  value?: unknown
  expression?: Node
  fragment?: { nodes: Node[] }
} & Record<string, unknown>

/**
 * What the look above cannot know to be the app's own, by file and expression. A new place belongs here only where no
 * text of a person, a model, a file or a server can come into it.
 */
const own: Readonly<Record<string, readonly string[]>> = {
  // sentences of the app, chosen or put together in the script
  'chat/Actions': ['pinRefused'],
  'chat/Announcer': ['message'],
  'chat/Bubble': ['stops[item.stop]'],
  'chat/Conversation': ['cutOff.title', 'cutOff.text'],
  'composer/CommandMenu': ['nameOf(command)', 'command.args'],
  'composer/Attachments': ['draft.hint'],
  'composer/RefusedLine': ['message'],
  'chat/EditBox': ['saveWord'],
  'chat/EditMark': ['said'],
  'chat/EmptyChat': ['suggestion.title', 'suggestion.text'],
  'permission/Permission': ['does'],
  'chat/Problem': ['errors[failure.code]', 'notices.chunkLost[1]', 'reload'],
  'composer/StatusLine': ['said', '` · ${numbers}`'],
  'chat/SummaryCard': ['told'],
  'chat/TranscriptRow': ['texts().chat.border'],
  'context/ContextDetails': ['line'],
  'context/Happened': ['whenOf(act.at)'],
  'context/HistoryButtons': ['done'],
  'context/NextMessage': ['said.lead', 'said.text'],
  'context/PreviewBars': ['name'],
  'context/PreviewDialog': ['preview.nothing'],
  'context/PreviewList': ["line.at === undefined ? '' : `${days(line.at, line.at)} · `"],
  'context/ZoneRows': ['count'],
  'context/NotSent': [
    'item.bytes !== undefined && item.shown !== undefined ? w.takenShows(size(item.shown), size(item.bytes)) : whenOf(item.at)',
  ],
  'context/TileCard': ['about'],
  'context/Tiles': ['stateOf(tile)'],
  'library/ChatActions': ['name'],
  'library/ChatMarkSign': ['words'],
  'library/SearchFilters': ['label'],
  'library/TransferStatus': ['importSummary(transfer.report, t)'],
  'memory/Proposal': ['signs[line.kind]', "proposal.days.join(' · ')"],
  'pages/DayPage': ['m.who[read.role] ?? read.role', 'number'],
  'parts/Diff': ['text', 'signs[line.kind]'],
  'parts/ErrorText': ['said.text'],
  'timeline/MessageCard': ['whenOf(first.at)', "about.join(' · ')"],
  'settings/AboutTab': ['version'],
  'settings/AnswerSettings': ['name', 'about'],
  'settings/InstructionsField': ['title', 'about'],
  'settings/AppearanceTab': ['legend', 'text'],
  'settings/ConfigImport': [
    'invalid',
    'said.count(lines.length, changesIn(lines))',
    'nameOf(strategy)',
    'nameOf(offered.name)',
    'said.because(offered, nameOf)',
    'said.mixed(report.mixed, strategy, nameOf)',
    'said.change(line)',
    'said.idle(said.change(line), said.noEffect(line.noEffect, nameOf))',
  ],
  'settings/ConfigTable': ['names[row.key] ?? row.key', 'toldOf(row)', 'choice', 'rangeOf(row)'],
  'settings/ContextTab': ['limit'],
  'servers/Doctor': ['told[0]', 'told[1]', 'failure', 'name'],
  'local-models/LocalModels': ['said.text'],
  'local-models/LocalRow': ['doing', 'model.contextWindow'],
  'servers/ServerForm': ['about.hint[language]'],
  'servers/ConnectField': ['asking'],
  'models/ModelFacts': ["words.join(' · ')", 'name'],
  'first-start/FirstStart': ['fact'],
  'first-start/Way': ['title', 'text'],
  'shell/NoticeCard': ['told.title', 'told.text', 'place[0]', 'place[1]'],
  'shell/Notices': ['one.title', 'one.text', 'line.title'],
  'servers/Command': ['text'],
  'servers/Keys': [
    "keys.locked && failure.code === 'bad_input' ? p.wrong : `${w.errors[failure.code]}: ${explainError(failure).text}`",
  ],
  'settings/StorageTab': ['storage.reason'],
  // days
  'library/ExportDialog': ['day'],
  'memory/DayNotes': ['day'],
  'memory/SourceLink': ['source.day'],
  'pages/Archive': ['month', 'item.day', 'dayTitle(place.day, texts().language)'],
}
/** Said in words of the app wherever it stands: what went wrong, and what a button said or says. */
const ownAnywhere =
  /^(?:explainError\(.*\)\.text|copied \? .*|.*explainError\(.*\)\.text(?: : '')?|read\.wrong\.map\(.*)$/s

/** Names in a component that hold the app's words, and functions that write numbers and days. */
function ownNames(source: string): Set<string> {
  const names = new Set(['String', 'groupedNumber', 'size', 'percent', 'timeOfDay', 'shortTime', 'dayOf'])
  for (const [, list] of source.matchAll(/import \{([^}]*)\} from '[./]+\/format\.ts'/g))
    for (const name of list!.split(',')) names.add(name.trim())
  for (const [, declared, from] of source.matchAll(/const (\{[^}]*\}|\w+) = (?:\$derived\()?(\w+)(?:\(\)|\.)/g)) {
    if (!/^(?:texts|\w+Texts)$/.test(from!) && !names.has(from!)) continue
    for (const name of declared!.match(/\w+/g) ?? []) names.add(name)
  }
  return names
}

function isOwn(node: Node | null | undefined, names: ReadonlySet<string>): boolean {
  if (!node) return true
  switch (node.type) {
    case 'Literal':
      return true
    case 'Identifier':
      return names.has(node.name!)
    case 'MemberExpression':
      return node['property'] && (node['property'] as Node).name === 'length'
        ? true
        : isOwn(node['object'] as Node, names)
    case 'CallExpression':
      return isOwn(node['callee'] as Node, names)
    case 'ChainExpression':
      return isOwn(node.expression, names)
    case 'ConditionalExpression':
      return isOwn(node['consequent'] as Node, names) && isOwn(node['alternate'] as Node, names)
    case 'LogicalExpression':
      return (node['operator'] === '&&' || isOwn(node['left'] as Node, names)) && isOwn(node['right'] as Node, names)
    case 'BinaryExpression':
      return node['operator'] !== '+' || (isOwn(node['left'] as Node, names) && isOwn(node['right'] as Node, names))
    case 'TemplateLiteral':
      return (node['expressions'] as Node[]).every(one => isOwn(one, names))
    default:
      return false
  }
}

const attribute = (node: Node, name: string): string | undefined => {
  const found = node.attributes?.find(one => one.type === 'Attribute' && one.name === name)
  if (!found) return undefined
  const [part] = Array.isArray(found.value) ? (found.value as { data?: string }[]) : []
  return part?.data ?? ''
}

/** What is listed above and was not found: a list that is longer than needed would hide a place. */
const unused = new Set(
  Object.entries(own).flatMap(([file, expressions]) => expressions.map(expression => `${file}.svelte ${expression}`)),
)

/** Where text is taken or shown without a side. */
function faultsOf(file: string): string[] {
  const source = readFileSync(new URL(file, folder), 'utf8')
  const names = ownNames(source)
  const faults: string[] = []
  const say = (node: Node, what: string): void => {
    const text = source.slice(node.start, node.end)
    const expression = text.slice(1, -1).replaceAll(/\s+/g, ' ') // the formatter breaks lines where it likes
    const known = own[file.replace('.svelte', '').replaceAll('\\', '/')]?.includes(expression) ?? false
    if (known) unused.delete(`${file} ${expression}`)
    if (!known && !(node.type === 'ExpressionTag' && ownAnywhere.test(expression)))
      faults.push(`${file}:${source.slice(0, node.start).split('\n').length} ${what} ${text.slice(0, 100)}`)
  }
  const walk = (node: Node, hasSide: boolean): void => {
    let inside = hasSide
    if (node.type === 'RegularElement') {
      const dir = attribute(node, 'dir')
      const isText =
        node.name === 'textarea' ||
        (node.name === 'input' &&
          /^(?:|text|search)$/.test(attribute(node, 'type') ?? '') &&
          attribute(node, 'inputmode') !== 'numeric')
      // an address reads from the left
      if (isText && dir !== (attribute(node, 'inputmode') === 'url' ? 'ltr' : 'auto')) say(node, 'takes text')
      if (dir !== undefined || node.name === 'bdi' || node.name === 'code' || node.name === 'kbd') inside = true
    }
    if (node.type === 'ExpressionTag' && !inside && !isOwn(node.expression, names)) say(node, 'shows text')
    for (const [key, value] of Object.entries(node)) {
      if (
        key === 'attributes' ||
        key === 'expression' ||
        key === 'metadata' ||
        key === 'instance' ||
        key === 'module' ||
        key === 'css'
      )
        continue
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== null && typeof one === 'object' && ('type' in one || 'nodes' in one)) walk(one as Node, inside)
    }
  }
  walk((parse(source, { modern: true }) as AST.Root).fragment as unknown as Node, false)
  return faults
}

describe('the side that a text reads from', () => {
  it('finds the places', () => expect(files.length).toBeGreaterThan(60))

  it('is its own in every place that takes or shows text', () => {
    expect(files.flatMap(faultsOf)).toEqual([])
    expect([...unused]).toEqual([])
  })
})
