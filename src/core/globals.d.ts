/**
 * The few platform globals that core may use: abort signals, and the URL parser, which is the same everywhere. Only
 * core's own tsconfig includes this file.
 */
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
interface AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare var AbortController: { new (): AbortController }
interface URL {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
}
declare var URL: { new (address: string): URL; canParse(address: string): boolean }
