/** UI state of the settings: models, servers, defaults, storage, appearance. */
import type { AgentApi, Contact, Defaults, Permission, Retention, StorageState } from '../../core/agent/api/api.ts'
import { attempt } from '../../core/attempt.ts'
import type { Id, SessionId } from '../../core/log/entry.ts'
import type { ModelInfo, ProbeReport, SecretsState, Server } from '../../core/ports/ports.ts'
import type { Diagnosis } from '../../core/ports/server-diagnosis.ts'
import type { Language } from '../../core/agent/api/api.ts'
import { applyAppearance, chosenLanguage, savePageSettings, type PageSettings } from './page-settings.ts'

export class Settings {
  readonly #api: AgentApi
  models = $state.raw<readonly ModelInfo[]>([])
  servers = $state.raw<readonly Server[]>([])
  /** Undefined until read. */
  defaults = $state.raw<Defaults | undefined>()
  storage = $state.raw<StorageState>({ state: 'kept' })
  permissions = $state.raw<readonly Permission[]>([])
  contacted = $state.raw<readonly Contact[]>([])
  /** What would be forgotten by rule; undefined: not looked at yet. */
  retention = $state.raw<Retention | undefined>()
  /** How the keys of servers are kept; undefined: not looked at yet. */
  keys = $state.raw<SecretsState | undefined>()
  page: PageSettings = $state.raw<PageSettings>()!
  /** What the browser answered when the person asked it to keep the chats. */
  persistAnswer = $state.raw<'granted' | 'refused' | undefined>()
  readonly language: Language = $derived(chosenLanguage(this.page.language))

  constructor(api: AgentApi, page: PageSettings) {
    this.#api = api
    this.page = page
  }

  /** Throws AgentError; so do all verbs that go to the worker. */
  async refreshModels(): Promise<void> {
    const [models, servers, defaults] = await Promise.all([
      this.#api.models(),
      this.#api.servers(),
      this.#api.defaults(),
    ])
    this.models = models
    this.servers = servers
    this.defaults = defaults
  }

  async refreshStorage(): Promise<void> {
    this.storage = await this.#api.storage()
  }

  async refreshRetention(): Promise<void> {
    this.retention = await this.#api.retention()
  }

  async agreeToRetention(agreed: boolean): Promise<void> {
    await this.#api.setRetentionConsent(agreed)
    await this.refreshRetention()
  }

  async refreshLedger(): Promise<void> {
    const [permissions, contacted] = await Promise.all([this.#api.permissions(), this.#api.networkLedger()])
    this.permissions = permissions
    this.contacted = contacted.toSorted((a, b) => b.last - a.last)
  }

  async refreshKeys(): Promise<void> {
    this.keys = await this.#api.keys()
  }

  /** Null: the device alone seals them from now on. */
  async setPassphrase(passphrase: string | null): Promise<void> {
    await this.#api.setPassphrase(passphrase)
    await this.refreshKeys()
  }

  async unlockKeys(passphrase: string): Promise<void> {
    await this.#api.unlockKeys(passphrase)
    await this.refreshKeys()
  }

  async forgetKeys(): Promise<void> {
    await this.#api.forgetKeys()
    await this.refreshKeys()
  }

  async setDefaults(changes: Partial<Defaults>): Promise<void> {
    await this.#api.setDefaults(changes)
    this.defaults = await this.#api.defaults()
  }

  /**
   * Asks the server for its models, keeps it with them, and answers with their names and with the address that
   * answered. `nameOf` names one that the person has not named, by what was found.
   */
  async connect(
    server: Server,
    nameOf = (baseUrl: string, _kind: ProbeReport['kind']): string => baseUrl,
  ): Promise<{ models: string[]; baseUrl: string; name: string }> {
    const found = await this.#api.probe(server)
    // What was typed is a choice among what is there; the address is the one that answered.
    const models = server.models.length > 0 ? server.models : found.models
    const baseUrl = found.baseUrl ?? server.baseUrl
    const name = server.name === '' ? nameOf(baseUrl, found.kind) : server.name
    await this.#api.saveServer({ ...server, name, models, baseUrl })
    await this.refreshModels()
    return { models, baseUrl, name }
  }

  /** What this server lists, which the person has named or wants to be looked for. It is not kept. */
  probe(server: Server): Promise<ProbeReport> {
    return this.#api.probe(server)
  }

  /** Why a server does not answer; `model` as it names it. */
  diagnose(server: Server, model?: string): Promise<Diagnosis> {
    return this.#api.diagnose(server, model)
  }

  /** Whether this server, which the person has named, answers now. Never throws. */
  answers(server: Server): Promise<boolean> {
    return this.#api.probe(server).then(
      () => true,
      () => false,
    )
  }

  async saveServer(server: Server): Promise<void> {
    await this.#api.saveServer(server)
    await this.refreshModels()
  }

  async removeServer(id: Id): Promise<void> {
    await this.#api.removeServer(id)
    await this.refreshModels()
  }

  async revoke(session: SessionId, grant: string): Promise<void> {
    await this.#api.revoke(session, grant)
    await this.refreshLedger()
  }

  /** Must be called in a click: some browsers ask the person. */
  async requestPersistence(): Promise<void> {
    // missing on plain http, refused where site data is blocked
    const granted = (await attempt(() => navigator.storage.persist())?.catch(() => false)) ?? false
    this.persistAnswer = granted ? 'granted' : 'refused'
    if (granted) this.storage = { ...this.storage, persisted: true }
  }

  /** Changes settings of the page and keeps them; what says nothing new costs nothing. */
  setPage(changes: Partial<PageSettings>): void {
    if (Object.entries(changes).every(([name, value]) => this.page[name as keyof PageSettings] === value)) return
    this.page = { ...this.page, ...changes }
    savePageSettings(this.page)
    applyAppearance(this.page, this.language)
  }
}
