/**
 * Random lives of chats, files, servers and yeses: nothing that was not allowed is in anything that is sent to a model
 * or server elsewhere. Every text, name, id and day is a token of its own, which is looked for in what was sent. What
 * was allowed is reckoned here anew, from what the person did and answered, and not by the code that is tried.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { codeOf } from '../../errors.ts'
import type { Id } from '../../log/entry.ts'
import { dayOf } from '../../text/day.ts'
import { lives } from '../../text/laws.fixture.ts'
import { createArchiveSearch } from '../search/archive-search.ts'
import { common, egressAct, modelNames, type EgressAct, type PlannedCall } from './egress-acts.fixture.ts'
import { EgressDevice } from './egress-device.fixture.ts'
import { EgressReckoning, sentInAll, type LivedChat, type LivedFile } from './egress-reckoning.fixture.ts'

/** So long that a few messages are worth a summary. */
const filler = 'where ships of all kinds lie at their moorings '.repeat(12)
const said = ['allow', 'deny', 'with this device', 'always here'] as const
const grants = ['other chats', 'chats of this device', 'this chat'] as const

class Life {
  readonly #device: EgressDevice
  readonly #reckoning: EgressReckoning
  #embeddings: 'near' | 'there' | undefined
  #current: LivedChat | undefined

  constructor() {
    this.#device = new EgressDevice({
      pathOf: path => this.#reckoning.pathOf(path),
      onGuess: token => this.#current?.own.add(token),
    })
    this.#reckoning = new EgressReckoning(this.#device.store)
    for (let n = 0; n < 4; n++) this.#files.push({ path: `workspace/${this.#device.token()}.md`, revision: 0 })
    this.#device.reload()
  }

  get #chats(): LivedChat[] {
    return this.#reckoning.chats
  }

  get #files(): LivedFile[] {
    return this.#reckoning.files
  }

  #addChat(): LivedChat {
    const chat: LivedChat = {
      id: this.#device.token(),
      day: new Date(2031, 2, 3 + this.#chats.length, 9).getTime(),
      yes: new Set(),
      own: new Set(),
      fromStaying: new Set(),
    }
    for (const name of [chat.id, dayOf(chat.day)]) chat.own.add(name)
    this.#chats.push(chat)
    return chat
  }

  async newChat(model?: string): Promise<LivedChat> {
    const chat = this.#addChat()
    this.#device.now = Math.max(this.#device.now, chat.day)
    if (model !== undefined) chat.model = model
    await this.#device.store.createSession({
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
  #new(chat: LivedChat): string {
    const secret = this.#device.token()
    chat.own.add(secret)
    return `${common} ${secret} ${filler}`
  }

  /** Does one act and looks at all that was sent in it. */
  async live(act: EgressAct): Promise<void> {
    const chat = 'chat' in act ? this.#chats[act.chat % this.#chats.length]! : undefined
    if (chat?.removed) return
    if (act.do === 'say' && act.model !== undefined && chat)
      await this.live({ do: 'model', chat: act.chat, model: act.model })
    const before = await this.#reckoning.holders()
    const memory = await this.#reckoning.memory()
    const known = new Set([...before.flatMap(({ tokens }) => [...tokens]), ...memory])
    this.#device.sent = []
    this.#current = chat
    if (chat) this.#device.now = chat.day + this.#device.ids
    const owned = new Set(chat?.own)
    const count = chat ? await this.#device.store.count(chat.id) : 0
    const goes = chat ? this.#reckoning.goesOut(chat) : false
    // What is typed in the act is known too, though it stands nowhere yet.
    await this.#do(act, chat)
    if (chat && !chat.removed) await this.#device.settle(chat.id)
    for (const token of chat?.own ?? []) if (!owned.has(token)) known.add(token)
    this.#reckoning.check(act, chat, this.#device.sent, { before, memory, known })
    if (chat) await this.#reckoning.learn(act, chat, { before, memory, known, count, goes })
  }

  async #do(act: EgressAct, chat: LivedChat | undefined): Promise<void> {
    const agent = this.#device.agent
    switch (act.do) {
      case 'say':
        return this.#turn(chat!, act, () => agent.send(chat!.id, this.#new(chat!)))
      case 'resume':
        return this.#turn(chat!, act, () => agent.resume(chat!.id))
      case 'regenerate': {
        const answer = (await this.#device.store.read(chat!.id)).findLast(({ entry }) => entry.type === 'assistant')
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
        chat!.model = modelNames[act.model]!
        return this.#may(agent.choose(chat!.id, { model: chat!.model }))
      }
      case 'summariser': {
        const summariser = modelNames[act.model]
        if (summariser === undefined) delete chat!.summariser
        else chat!.summariser = summariser
        return this.#may(agent.choose(chat!.id, { summariser: summariser ?? null }))
      }
      case 'defaults': {
        const summariser = modelNames[act.summariser]
        const embeddings = ([undefined, 'near', 'there'] as const)[act.embeddings]
        this.#reckoning.defaultModel = modelNames[act.model]!
        this.#embeddings = embeddings
        return this.#may(
          agent.setDefaults({
            model: modelNames[act.model]!,
            ...(summariser ? { summariser } : {}),
            embeddings: embeddings ? { server: embeddings, model: 'm' } : null,
          }),
        )
      }
      case 'write file': {
        const file = this.#files[act.file]!
        const document = await this.#device.store.document(file.path)
        file.revision = await agent.saveDocument(
          file.path,
          `${document?.text ?? ''}${common} ${this.#device.token()}\n`,
          document?.revision ?? 0,
        )
        file.mark ??= 'asks'
        return
      }
      case 'write memory': {
        const document = await this.#device.store.document('MEMORY.md')
        await agent.saveDocument(
          'MEMORY.md',
          `${document?.text ?? ''}${common} ${this.#device.token()}\n`,
          document?.revision ?? 0,
        )
        return
      }
      case 'note':
        return void (await this.#may(agent.command(chat!.id, `/memory ${this.#new(chat!)}`)))
      case 'rename':
        return this.#may(agent.rename(chat!.id, this.#new(chat!)))
      case 'new chat':
        return void (this.#chats.length < 6 && (await this.newChat(modelNames[act.chat % 3])))
      case 'preview':
        return void (await this.#may(agent.preview(chat!.id)))
      case 'dream': {
        // it looks back a week: all chats are in it
        this.#device.now = Math.max(...this.#chats.map(({ day }) => day)) + 3_600_000
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
        const embeddings = this.#embeddings
        if (embeddings)
          await createArchiveSearch({
            store: this.#device.store,
            world: this.#device.world,
            embedder: async () => this.#device.embedder(embeddings === 'near'),
          }).catchUp()
        return
      }
      case 'reload':
        return this.#device.reload()
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
    chat: LivedChat,
    { plan, answers }: { plan: PlannedCall[]; answers: number[] },
    begin: () => Promise<void>,
  ): Promise<void> {
    this.#device.plan = [...plan]
    this.#device.expect(chat.id)
    try {
      await begin()
    } catch (thrown) {
      if (codeOf(thrown) === 'unknown') throw thrown
      return
    }
    for (let n = 0; ; n++) {
      const status = await this.#device.rest(chat.id)
      if (status.state !== 'asking') return
      const { call, egress } = status.question
      if (egress === 'other chats' && call.arguments.includes(`dialog/${chat.id}/`))
        throw new Error(`Asked for what is the chat's own: ${call.name} ${call.arguments}`)
      const answer = n > 8 ? 'deny' : said[answers[n % answers.length]!]!
      if (answer !== 'deny' && egress) chat.yes.add(egress)
      if (answer === 'with this device' && egress === 'other chats') chat.yes.add('chats of this device')
      await this.#device.settle(chat.id) // the question is shown a little before the turn has ended
      this.#device.expect(chat.id)
      await this.#device.agent.resolvePermission(chat.id, call.id, answer)
    }
  }

  /** A file from outside: a chat, that may be here already, and a document. */
  async #import({ old, mark, local, file: n }: EgressAct & { do: 'import' }, known: LivedChat): Promise<void> {
    if (!old && this.#chats.length >= 6) return
    const chat = old ? known : this.#addChat()
    const file = this.#files[n]!
    const leaves = mark === 'none' ? {} : { leaves: mark }
    const [question, answer] = [this.#device.token(), this.#device.token()]
    const message = (id: Id, parent: Id | null, message: object): string =>
      JSON.stringify({ type: 'message', id, parent, seq: 0, timestamp: chat.day, message })
    const handle = await this.#device.agent.importStart({ asCopy: false })
    await this.#device.agent.importLines(handle, [
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
        text: `${common} ${this.#device.token()}`,
        ...leaves,
      }),
    ])
    await this.#device.agent.importEnd(handle)
    for (const token of [question, answer]) chat.own.add(token)
    const asks = mark === 'asks'
    chat.mark = asks && (!old || chat.mark === 'asks') ? 'asks' : 'stays'
    const document = await this.#device.store.document(file.path)
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
      fc.asyncProperty(fc.array(egressAct, { minLength: 4, maxLength: 14 }), async acts => {
        const life = new Life()
        for (const model of ['here', 'east', undefined]) await life.newChat(model)
        const first: EgressAct[] = [0, 1].map(chat => ({
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
    if (sentInAll.chats > 1_000)
      for (const [what, count] of Object.entries(sentInAll)) expect(count, what).toBeGreaterThan(0)
  },
)
