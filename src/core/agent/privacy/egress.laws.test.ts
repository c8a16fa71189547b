/**
 * Random lives of chats, files, servers and yeses: nothing that was not allowed is in anything that is sent to a model
 * or server elsewhere. Every text, name, id and day is a token of its own, which is looked for in what was sent. What
 * was allowed is reckoned here anew, from what the person did and answered, and not by the code that is tried.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { codeOf } from '../../errors.ts'
import type { Id, SessionId } from '../../log/entry.ts'
import type { ModelRequest, ToolCall } from '../../log/message.ts'
import type { Embedder, Model, World } from '../../ports/ports.ts'
import { dayOf } from '../../text/day.ts'
import { lives } from '../../text/laws.fixture.ts'
import { modelsOf, processLocks } from '../agent.fixture.ts'
import { createAgent, type Agent } from '../agent.ts'
import type { AgentEvent, Status } from '../api/api.ts'
import { createArchiveSearch } from '../search/archive-search.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'

/** Ids and secrets, and the days on which chats live: nothing else looks like them. */
const tokenIn = /zq[0-9a-z]{5}|20[3-9]\d-\d\d-\d\d/g
const tokensOf = (text: string): Set<string> => new Set(text.match(tokenIn))
/** In every text, so that any search finds all of them. */
const common = 'harbour'
/** So long that a few messages are worth a summary. */
const filler = 'where ships of all kinds lie at their moorings '.repeat(12)
const said = ['allow', 'deny', 'with this device', 'always here'] as const
const grants = ['other chats', 'chats of this device', 'this chat'] as const
const models = ['here', 'east', 'west'] as const

type Mark = 'asks' | 'stays'
/**
 * A tool call of a plan: chats and files by number, so that it can be planned before they have names. `seen` in a text
 * stands for all that the model has seen.
 */
type Call = { name: string; args: Record<string, string>; path?: { of: 'chat' | 'file'; n: number; form: string } }
type Act =
  | {
      do: 'say' | 'resume' | 'regenerate' | 'compact' | 'open' | 'remove'
      chat: number
      plan: Call[]
      answers: number[]
      model?: number
    }
  | { do: 'model' | 'summariser'; chat: number; model: number }
  | { do: 'defaults'; model: number; summariser: number; embeddings: number }
  | { do: 'write file' | 'write memory'; file: number }
  | { do: 'note' | 'rename' | 'new chat' | 'preview'; chat: number }
  | { do: 'dream'; chat: number; accepts: boolean }
  | { do: 'revoke'; chat: number; grant: number }
  | { do: 'import'; chat: number; old: boolean; mark: string; local: boolean; file: number }
  | { do: 'embed' | 'reload' }

const nat = (most: number) => fc.nat({ max: most - 1 })
const forms = [
  'dialog/DAY.jsonl',
  'dialog/ID/DAY.jsonl',
  'memory/DAY.md',
  'user_text/ENTRY.txt',
  'answer/ENTRY.txt',
  'call/ENTRY.json',
  'tool_result/ENTRY.txt',
  'MEMORY.md',
  'workspace/none.md',
]
const place = fc.oneof(
  fc.record({ of: fc.constant('file' as const), n: nat(4), form: fc.constant('PATH') }),
  fc.record({ of: fc.constant('chat' as const), n: nat(6), form: fc.constantFrom(...forms) }),
)
const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('everything', 'this chat', 'messages', 'results', 'memory', 'files')
      .map(where => ({ name: 'memory_search', args: { query: `${common} seen`, where } })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('read_file', 'memory_get'), place)
      .map(([name, path]) => ({ name, args: {}, path })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('', 'workspace/', 'dialog/', 'memory/')
      .map(path => ({ name: 'search_files', args: { pattern: common, path } })),
  },
  { weight: 1, arbitrary: place.map(path => ({ name: 'search_files', args: { pattern: '.' }, path })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('', 'workspace/', 'dialog/', 'memory/', 'M')
      .map(prefix => ({ name: 'list_files', args: { prefix } })),
  },
  {
    weight: 3,
    arbitrary: nat(4).map(n => ({
      name: 'write_file',
      args: { content: `${common} seen` },
      path: { of: 'file' as const, n, form: 'PATH' },
    })),
  },
  {
    weight: 1,
    arbitrary: nat(4).map(n => ({
      name: 'edit_file',
      args: { old_text: common, new_text: `${common} seen` },
      path: { of: 'file' as const, n, form: 'PATH' },
    })),
  },
  // Refused before it is asked, with the names of files that are there.
  {
    weight: 1,
    arbitrary: nat(6).map(n => ({
      name: 'edit_file',
      args: { old_text: common, new_text: common },
      path: { of: 'chat' as const, n, form: 'workspace/none.md' },
    })),
  },
)
const chat = nat(6)
const turn = { chat, plan: fc.array(call, { maxLength: 3 }), answers: fc.array(nat(4), { minLength: 1, maxLength: 3 }) }
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      { do: fc.constant('say' as const), ...turn, model: nat(3) },
      { requiredKeys: ['do', 'chat', 'plan', 'answers'] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'resume' as const,
        'regenerate' as const,
        'compact' as const,
        'compact' as const,
        'open' as const,
        'remove' as const,
      ),
      ...turn,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('model' as const), chat, model: nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('summariser' as const), chat, model: nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('defaults' as const),
      model: nat(3),
      summariser: nat(4),
      embeddings: nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('write file' as const, 'write memory' as const), file: nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('note' as const, 'rename' as const, 'new chat' as const, 'preview' as const),
      chat,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('dream' as const), chat, accepts: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), chat, grant: nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      chat,
      old: fc.boolean(),
      mark: fc.constantFrom('asks', 'stays', 'none', 'maybe'),
      local: fc.boolean(),
      file: nat(4),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('embed' as const, 'embed' as const, 'reload' as const) }) },
)

/**
 * What is known of a chat: its mark, its yeses, what of its log was rightly in it, and what of that it has from what
 * stays.
 */
type Chat = {
  id: SessionId
  day: number
  mark?: Mark
  yes: Set<string>
  model?: string
  summariser?: string
  own: Set<string>
  fromStaying: Set<string>
  removed?: true
}
type File = { path: string; mark?: Mark; revision: number }
/** Where a token stands now. */
type Holder = { chat?: Chat; file?: File; tokens: ReadonlySet<string> }
type Sent = { to: string; body: string; asks?: 'chat' | 'summary' }

/**
 * What all lives together have sent, and what of it was others': a law over lives in which nothing happens would say
 * nothing.
 */
const seen = { chats: 0, summaries: 0, merges: 0, vectors: 0, ofOthers: 0, ofStaying: 0, files: 0, days: 0 }

class Life {
  readonly #store = new MemoryStore()
  #ids = 0
  #calls = 0
  #now = 0
  #plan: Call[] = []
  #agent!: Agent
  #locks = processLocks()
  #statuses = new Map<SessionId, Status>()
  #told: (() => void)[] = []
  #sent: Sent[] = []
  readonly chats: Chat[] = []
  readonly files: File[] = []
  #defaults: { model?: string; summariser?: string; embeddings?: 'near' | 'there' } = {}
  #current: Chat | undefined
  readonly #models: Model[]
  readonly #world: World

  constructor() {
    this.#world = {
      now: () => this.#now++,
      newId: () => this.token(),
      // Long ones are limits that nothing here reaches.
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const stop = (): void => {
            reject(new Error('stopped'))
          }
          if (signal.aborted) return stop()
          signal.addEventListener('abort', stop, { once: true })
          if (ms <= 10_000)
            setImmediate(() => {
              signal.removeEventListener('abort', stop)
              resolve()
            })
        }),
    }
    this.#models = models.map(id => this.#model(id))
    for (let n = 0; n < 4; n++) this.files.push({ path: `workspace/${this.token()}.md`, revision: 0 })
    this.#reload()
  }

  token(): Id {
    return `zq${(++this.#ids).toString(36).padStart(5, '0')}`
  }

  #reload(): void {
    this.#locks = processLocks()
    this.#statuses.clear()
    this.#agent = createAgent({
      store: this.#store,
      world: this.#world,
      locks: this.#locks,
      models: { ...modelsOf(...this.#models), embedder: async server => this.#embedder(server === 'near') },
      tokenizer: { load: async () => undefined, count: undefined },
      compilePattern: linearPattern,
      diffLines: async () => [],
      readPage: async url => ({ title: 'A page', markdown: 'Its words.', url }),
      contacted: async () => [],
      storage: async () => ({ state: 'memory' }),
    })
    void this.#agent.subscribe(events => {
      for (const event of events) this.#hear(event)
    })
  }

  #hear(event: AgentEvent): void {
    if (event.type !== 'status') return
    this.#statuses.set(event.session, event.status)
    for (const tell of this.#told.splice(0)) tell()
  }

  #embedder(local: boolean): Embedder {
    return {
      id: local ? 'near' : 'there',
      local,
      embed: async texts => {
        if (!local) this.#sent.push({ to: 'there', body: texts.join('\n') })
        return texts.map(text => [text.length % 7, 1, 2])
      },
    }
  }

  /** A model that says and writes all that it has seen, and calls what is planned. */
  #model(id: string): Model {
    const answer = (request: ModelRequest): { text: string } | { call: ToolCall } => this.#answer(id, request)
    return {
      id,
      name: id,
      local: id === 'here',
      contextWindow: 131_072,
      maxOutput: 8_192,
      can: { tools: true, images: false, schema: false },
      reportsWholePrompt: true,
      async *generate(request) {
        const said = answer(request)
        if ('call' in said) yield { type: 'call', call: said.call }
        else yield { type: 'text', text: said.text }
        yield { type: 'finish', stop: 'call' in said ? 'calls' : 'stop' }
      },
    }
  }

  #answer(model: string, request: ModelRequest): { text: string } | { call: ToolCall } {
    const body = JSON.stringify({ system: request.system, messages: request.messages })
    if (model !== 'here') this.#sent.push({ to: model, body, asks: request.tools.length > 0 ? 'chat' : 'summary' })
    const all = [...tokensOf(body)].join(' ')
    if (request.tools.length === 0) return { text: `## Goal\n${common} ${all}\n## Next Steps\n${all}` }
    const next = request.toolChoice === 'none' ? undefined : this.#plan.shift()
    if (!next) return { text: `${common} ${all}` }
    const args = Object.fromEntries(Object.entries(next.args).map(([name, text]) => [name, text.replace('seen', all)]))
    if (next.path) args['path'] = this.#pathOf(next.path)
    // a name that it guessed
    for (const token of tokensOf(JSON.stringify(args))) if (!all.includes(token)) this.#current?.own.add(token)
    return { call: { id: `call ${++this.#calls}`, name: next.name, arguments: JSON.stringify(args) } }
  }

  #pathOf({ of, n, form }: NonNullable<Call['path']>): string {
    if (of === 'file') return this.files[n % this.files.length]!.path
    const chat = this.chats[n % this.chats.length]!
    return form
      .replace('DAY', dayOf(chat.day))
      .replace('ID', chat.id)
      .replace('ENTRY', this.#entryOf.get(chat.id) ?? 'none')
  }

  /** An entry of each chat, for paths that name one. */
  readonly #entryOf = new Map<SessionId, Id>()

  addChat(): Chat {
    const chat: Chat = {
      id: this.token(),
      day: new Date(2031, 2, 3 + this.chats.length, 9).getTime(),
      yes: new Set(),
      own: new Set(),
      fromStaying: new Set(),
    }
    for (const name of [chat.id, dayOf(chat.day)]) chat.own.add(name)
    this.chats.push(chat)
    return chat
  }

  async newChat(model?: string): Promise<Chat> {
    const chat = this.addChat()
    this.#now = Math.max(this.#now, chat.day)
    if (model !== undefined) chat.model = model
    await this.#store.createSession({
      id: chat.id,
      title: this.#new(chat),
      titled: true,
      createdAt: chat.day,
      updatedAt: chat.day,
      leaf: null,
      ...(model === undefined ? {} : { model }),
    })
    return chat
  }

  /** A new secret that the person types into a chat. */
  #new(chat: Chat): string {
    const secret = this.token()
    chat.own.add(secret)
    return `${common} ${secret} ${filler}`
  }

  async #rest(chat: Chat): Promise<Status> {
    for (;;) {
      const status = this.#statuses.get(chat.id)
      if (status && ['idle', 'asking', 'interrupted'].includes(status.state)) return status
      await new Promise<void>(resolve => {
        this.#told.push(resolve)
      })
    }
  }

  /** What a chat owes after its answer is done as well. */
  async #settle(chat: Chat): Promise<void> {
    for (let n = 0; n < 3; n++)
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    for (const lock of ['job', 'session']) await this.#locks.run(`${lock}:${chat.id}`, {}, async () => undefined)
  }

  async #holders(): Promise<Holder[]> {
    const holders: Holder[] = []
    for (const chat of this.chats) {
      const rows = await this.#store.read(chat.id)
      const info = await this.#store.session(chat.id)
      const fact = rows.findLast(
        ({ entry }) => entry.type === 'user' || entry.type === 'assistant' || entry.type === 'result',
      )
      if (fact) this.#entryOf.set(chat.id, fact.entry.id)
      const tokens = tokensOf(`${JSON.stringify(rows)} ${info?.title ?? ''} ${chat.id}`)
      for (const { day } of rows) if (tokensOf(day).size > 0) tokens.add(day)
      holders.push({ chat, tokens })
    }
    for (const file of this.files) {
      const tokens = new Set<string>()
      const { revision = 0 } = (await this.#store.document(file.path)) ?? {}
      for (let n = 1; n <= revision; n++) {
        const document = (await this.#store.document(file.path, n))!
        for (const token of tokensOf(`${file.path} ${document.text} ${dayOf(document.at)}`)) tokens.add(token)
      }
      if (revision > 0) holders.push({ file, tokens })
    }
    return holders
  }

  async #memory(): Promise<Set<string>> {
    const { revision = 0 } = (await this.#store.document('MEMORY.md')) ?? {}
    const tokens = new Set<string>()
    for (let n = 1; n <= revision; n++) {
      const document = (await this.#store.document('MEMORY.md', n))!
      for (const token of tokensOf(`${document.text} ${dayOf(document.at)}`)) tokens.add(token)
    }
    return tokens
  }

  #modelOf = (chat: Chat): string => chat.model ?? this.#defaults.model ?? 'here'

  /** Does one act and looks at all that was sent in it. */
  async live(act: Act): Promise<void> {
    const chat = 'chat' in act ? this.chats[act.chat % this.chats.length]! : undefined
    if (chat?.removed) return
    if (act.do === 'say' && act.model !== undefined && chat)
      await this.live({ do: 'model', chat: act.chat, model: act.model })
    const before = await this.#holders()
    const memory = await this.#memory()
    const known = new Set([...before.flatMap(({ tokens }) => [...tokens]), ...memory])
    this.#sent = []
    this.#current = chat
    if (chat) this.#now = chat.day + this.#ids
    const owned = new Set(chat?.own)
    const count = chat ? await this.#store.count(chat.id) : 0
    const goes = chat ? this.#goesOut(chat) : false
    // What is typed in the act is known too, though it stands nowhere yet.
    await this.#do(act, chat)
    if (chat && !chat.removed) await this.#settle(chat)
    for (const token of chat?.own ?? []) if (!owned.has(token)) known.add(token)
    this.#check(act, chat, { before, memory, known })
    if (chat) await this.#learn(act, chat, { before, memory, known, count, goes })
  }

  /** Whether what this chat reads would go to a model elsewhere without another question about the chat. */
  #goesOut(chat: Chat): boolean {
    return (
      chat.mark === 'asks' ||
      chat.yes.has('this chat') ||
      this.#modelOf(chat) !== 'here' ||
      (chat.summariser ?? 'here') !== 'here'
    )
  }

  /** What the yeses of this chat let it read, beside its own. */
  #allowed(
    chat: Chat | undefined,
    { before, memory, known }: { before: readonly Holder[]; memory: ReadonlySet<string>; known: ReadonlySet<string> },
  ): Set<string> {
    const allowed = new Set(memory)
    if (chat && !chat.yes.has('other chats')) return allowed
    if (chat?.yes.has('chats of this device')) return new Set(known)
    for (const { chat: other, file, tokens } of before)
      if ((other && !other.removed && other.mark === 'asks') || (file && file.mark === 'asks'))
        for (const token of tokens) allowed.add(token)
    return allowed
  }

  #check(
    act: Act,
    chat: Chat | undefined,
    known: { before: readonly Holder[]; memory: ReadonlySet<string>; known: ReadonlySet<string> },
  ): void {
    const reads = act.do === 'embed' || act.do === 'dream' ? undefined : chat
    const others = this.#allowed(reads, known)
    for (const { to, body, asks } of this.#sent) {
      const tokens = tokensOf(body)
      const mine = reads && (this.#mayGo(reads) || reads.summariser === to) ? reads.own : new Set<string>()
      const mayRead = reads && mine.size === 0 ? known.memory : others
      // Vectors of a question are asked for only where a model elsewhere asks it.
      const isQuestion = to === 'there' && reads !== undefined
      const leaked = [...tokens].filter(
        token =>
          known.known.has(token) &&
          ((!mine.has(token) && !mayRead.has(token)) ||
            (isQuestion && this.#modelOf(reads) === 'here' && !known.memory.has(token))),
      )
      if (leaked.length > 0) {
        const where = leaked.map(
          token =>
            `${token} of ${known.before
              .filter(({ tokens }) => tokens.has(token))
              .map(({ chat, file }) =>
                chat
                  ? `chat ${this.chats.indexOf(chat)} (${chat.mark ?? 'fresh'})`
                  : `file ${file!.path} (${file!.mark})`,
              )
              .join(', ')}`,
        )
        throw new Error(`Sent to ${to} in ${JSON.stringify(act)}: ${where.join('; ')}\n${body.slice(-3_000)}`)
      }
      seen[to === 'there' ? 'vectors' : asks === 'chat' ? 'chats' : act.do === 'dream' ? 'merges' : 'summaries']++
      this.#count(tokens, { ...known, mine })
    }
  }

  #count(
    tokens: ReadonlySet<string>,
    { before, mine }: { before: readonly Holder[]; mine: ReadonlySet<string> },
  ): void {
    const got = (of: (holder: Holder) => boolean): boolean =>
      before.some(holder => of(holder) && [...holder.tokens].some(token => tokens.has(token) && !mine.has(token)))
    if (got(({ chat }) => chat?.mark === 'asks')) seen.ofOthers++
    if (got(({ chat, file }) => (chat ?? file)?.mark === 'stays')) seen.ofStaying++
    if (got(({ file }) => file !== undefined)) seen.files++
    if ([...tokens].some(token => token.startsWith('20') && !mine.has(token))) seen.days++
  }

  /** Whether the log of the chat may be sent: the person chose to, or it has been already. */
  #mayGo(chat: Chat): boolean {
    return chat.mark === 'asks' || chat.mark === undefined || chat.yes.has('this chat')
  }

  /** After an act: what is in the chat now, and the marks of it and of the files that it wrote. */
  async #learn(
    act: Act,
    chat: Chat,
    {
      before,
      memory,
      known,
      count,
      goes,
    }: {
      before: readonly Holder[]
      memory: ReadonlySet<string>
      known: ReadonlySet<string>
      count: number
      goes: boolean
    },
  ): Promise<void> {
    const rows = await this.#store.read(chat.id)
    const tokens = tokensOf(JSON.stringify(rows))
    const may = goes ? this.#allowed(chat, { before, memory, known }) : known
    for (const token of tokens) {
      if (chat.own.has(token)) continue
      // must not have come in: where it goes on, that is found
      if (known.has(token) && !may.has(token) && !memory.has(token)) continue
      chat.own.add(token)
      const holders = before.filter(holder => holder.chat !== chat && holder.tokens.has(token))
      if (
        holders.length > 0 &&
        !memory.has(token) &&
        holders.every(holder => (holder.chat ?? holder.file)?.mark !== 'asks')
      )
        chat.fromStaying.add(token)
    }
    if (act.do !== 'import') {
      const answers = rows.slice(count).flatMap(({ entry }) => (entry.type === 'assistant' ? [entry] : []))
      if (answers.some(({ local }) => !local)) chat.mark = 'asks'
      else if (answers.length > 0) chat.mark ??= 'stays'
    }
    for (const file of this.files) {
      const document = await this.#store.document(file.path)
      if (!document || document.revision === file.revision || act.do === 'write file' || act.do === 'import') continue
      const isStaying = chat.mark !== 'asks' || [...tokensOf(document.text)].some(token => chat.fromStaying.has(token))
      file.mark = file.mark === 'stays' || isStaying ? 'stays' : 'asks'
      file.revision = document.revision
    }
  }

  async #do(act: Act, chat: Chat | undefined): Promise<void> {
    const agent = this.#agent
    switch (act.do) {
      case 'say':
        return this.#turn(chat!, act, () => agent.send(chat!.id, this.#new(chat!)))
      case 'resume':
        return this.#turn(chat!, act, () => agent.resume(chat!.id))
      case 'regenerate': {
        const answer = (await this.#store.read(chat!.id)).findLast(({ entry }) => entry.type === 'assistant')
        return answer && this.#turn(chat!, act, () => agent.regenerate(chat!.id, answer.entry.id))
      }
      case 'compact':
        return this.#may(agent.compact(chat!.id))
      case 'open':
        return void (await this.#may(agent.open(chat!.id)))
      case 'remove': {
        await this.#may(agent.remove(chat!.id))
        chat!.removed = true
        return
      }
      case 'model': {
        chat!.model = models[act.model]!
        return this.#may(agent.choose(chat!.id, { model: chat!.model }))
      }
      case 'summariser': {
        const summariser = models[act.model]
        if (summariser === undefined) delete chat!.summariser
        else chat!.summariser = summariser
        return this.#may(agent.choose(chat!.id, { summariser: summariser ?? null }))
      }
      case 'defaults': {
        const summariser = models[act.summariser]
        const embeddings = ([undefined, 'near', 'there'] as const)[act.embeddings]
        this.#defaults = {
          model: models[act.model]!,
          ...(summariser ? { summariser } : {}),
          ...(embeddings ? { embeddings } : {}),
        }
        return this.#may(
          agent.setDefaults({
            model: models[act.model]!,
            ...(summariser ? { summariser } : {}),
            embeddings: embeddings ? { server: embeddings, model: 'm' } : null,
          }),
        )
      }
      case 'write file': {
        const file = this.files[act.file]!
        const document = await this.#store.document(file.path)
        file.revision = await agent.saveDocument(
          file.path,
          `${document?.text ?? ''}${common} ${this.token()}\n`,
          document?.revision ?? 0,
        )
        file.mark ??= 'asks'
        return
      }
      case 'write memory': {
        const document = await this.#store.document('MEMORY.md')
        await agent.saveDocument(
          'MEMORY.md',
          `${document?.text ?? ''}${common} ${this.token()}\n`,
          document?.revision ?? 0,
        )
        return
      }
      case 'note':
        return void (await this.#may(agent.command(chat!.id, `/memory ${this.#new(chat!)}`)))
      case 'rename':
        return this.#may(agent.rename(chat!.id, this.#new(chat!)))
      case 'new chat':
        return void (this.chats.length < 6 && (await this.newChat(models[act.chat % 3])))
      case 'preview':
        return void (await this.#may(agent.preview(chat!.id)))
      case 'dream': {
        // it looks back a week: all chats are in it
        this.#now = Math.max(...this.chats.map(({ day }) => day)) + 3_600_000
        const proposal = await agent.dream(undefined, act.accepts ? chat!.id : undefined)
        if (proposal) await this.#may(agent.resolveProposal(act.accepts ? proposal.text : null))
        return
      }
      case 'revoke': {
        chat!.yes.delete(grants[act.grant]!)
        return this.#may(agent.revoke(chat!.id, grants[act.grant]!))
      }
      case 'import':
        return this.#import(act, chat!)
      case 'embed': {
        const { embeddings } = this.#defaults
        if (embeddings)
          await createArchiveSearch({
            store: this.#store,
            world: this.#world,
            embedder: async () => this.#embedder(embeddings === 'near'),
          }).catchUp()
        return
      }
      case 'reload':
        return this.#reload()
      default:
        act satisfies never
    }
  }

  /** What cannot be done now (nothing to go on with, nothing to undo) is not done. */
  async #may(doing: Promise<unknown>): Promise<void> {
    await doing.catch((thrown: unknown) => {
      if (codeOf(thrown) === 'unknown') throw thrown
    })
  }

  async #turn(
    chat: Chat,
    { plan, answers }: { plan: Call[]; answers: number[] },
    begin: () => Promise<void>,
  ): Promise<void> {
    this.#plan = [...plan]
    this.#statuses.delete(chat.id)
    try {
      await begin()
    } catch (thrown) {
      if (codeOf(thrown) === 'unknown') throw thrown
      return
    }
    for (let n = 0; ; n++) {
      const status = await this.#rest(chat)
      if (status.state !== 'asking') return
      const { call, egress } = status.question
      if (egress === 'other chats' && call.arguments.includes(`dialog/${chat.id}/`))
        throw new Error(`Asked for what is the chat's own: ${call.name} ${call.arguments}`)
      const answer = n > 8 ? 'deny' : said[answers[n % answers.length]!]!
      if (answer !== 'deny' && egress) chat.yes.add(egress)
      if (answer === 'with this device' && egress === 'other chats') chat.yes.add('chats of this device')
      await this.#settle(chat) // the question is shown a little before the turn has ended
      this.#statuses.delete(chat.id)
      await this.#agent.resolvePermission(chat.id, call.id, answer)
    }
  }

  /** A file from outside: a chat, that may be here already, and a document. */
  async #import({ old, mark, local, file: n }: Act & { do: 'import' }, known: Chat): Promise<void> {
    if (!old && this.chats.length >= 6) return
    const chat = old ? known : this.addChat()
    const file = this.files[n]!
    const leaves = mark === 'none' ? {} : { leaves: mark }
    const [question, answer] = [this.token(), this.token()]
    const message = (id: Id, parent: Id | null, message: object): string =>
      JSON.stringify({ type: 'message', id, parent, seq: 0, timestamp: chat.day, message })
    const handle = await this.#agent.importStart({ asCopy: false })
    await this.#agent.importLines(handle, [
      JSON.stringify({
        type: 'session',
        harness: 'haversack',
        id: chat.id,
        name: this.#new(chat),
        createdAt: chat.day,
        format: 1,
        ...leaves,
      }),
      message(question, null, { role: 'user', content: this.#new(chat) }),
      message(answer, question, {
        role: 'assistant',
        content: this.#new(chat),
        model: 'east',
        ...(local ? { local } : {}),
      }),
      JSON.stringify({
        type: 'document',
        path: file.path,
        revision: 1,
        timestamp: chat.day,
        text: `${common} ${this.token()}`,
        ...leaves,
      }),
    ])
    await this.#agent.importEnd(handle)
    for (const token of [question, answer]) chat.own.add(token)
    const asks = mark === 'asks'
    chat.mark = asks && (!old || chat.mark === 'asks') ? 'asks' : 'stays'
    const document = await this.#store.document(file.path)
    if (!document || document.revision === file.revision) return
    file.mark = asks && file.mark !== 'stays' ? 'asks' : 'stays'
    file.revision = document.revision
  }
}

it(
  'whatever is said, written, allowed and switched: nothing that was not allowed is sent elsewhere',
  { timeout: 120_000 + lives().numRuns * 500 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async acts => {
        const life = new Life()
        for (const model of ['here', 'east', undefined]) await life.newChat(model)
        const first: Act[] = [0, 1].map(chat => ({
          do: 'say',
          chat,
          plan: [
            { name: 'write_file', args: { content: `${common} seen` }, path: { of: 'file', n: chat, form: 'PATH' } },
          ],
          answers: [0],
        }))
        for (const one of [...first, ...acts]) await life.live(one)
      }),
      lives(),
    )
    if (seen.chats > 1_000) for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
  },
)
