/** A real `llama-server` for the bench: started, held still, killed, and its log read. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'

export type Llama = {
  port: number
  /** Without /v1. */
  origin: string
  /** What it has written so far. */
  log(): string
  /**
   * Starts it (again), with these arguments in place of the first ones where some are given; answers when it listens.
   */
  start(args?: readonly string[]): Promise<void>
  /** Gives it little time from now on, so that its loading lasts; answers with what ends that. */
  slowly(): () => void
  /** As when a machine has no time for it: what it has sent is there, more does not come. */
  hold(): void
  goOn(): void
  /** At once, as when it crashes. */
  kill(): Promise<void>
}

/** ms of rest and of work in turn, where it gets little time. */
const [pause, run] = [250, 15]

/** Makes one on a free port; it keeps that port when it is started again. `folder`: where the files of `args` lie. */
export async function llama(binary: string, folder: string, args: readonly string[]): Promise<Llama> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let log = ''
  const server: Llama = {
    port,
    origin,
    log: () => log,
    async start(again = args) {
      const started = spawn(
        binary,
        [...again, '--threads', '1', '--threads-batch', '1', '--host', '127.0.0.1', '--port', String(port)],
        { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, LLAMA_LOG_COLORS: '0' } },
      )
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (bytes: Buffer) => {
          log += bytes.toString()
        })
      child = started
      for (let n = 0; n < 600; n++) {
        if (started.exitCode !== null || started.signalCode !== null)
          throw new Error(`llama-server ended with ${started.exitCode ?? started.signalCode}: ${log.slice(-600)}`)
        const answers = await fetch(`${origin}/health`).then(
          () => true,
          () => false,
        )
        if (answers) return
        await new Promise(resolve => {
          setTimeout(resolve, 50)
        })
      }
      throw new Error('llama-server does not listen')
    },
    slowly() {
      const timer = setInterval(() => {
        child?.kill('SIGSTOP')
        setTimeout(() => {
          child?.kill('SIGCONT')
        }, pause)
      }, pause + run)
      return () => {
        clearInterval(timer)
        child?.kill('SIGCONT')
      }
    },
    hold() {
      child?.kill('SIGSTOP')
    },
    goOn() {
      child?.kill('SIGCONT')
    },
    async kill() {
      const gone = child
      child = undefined
      if (gone === undefined || gone.exitCode !== null || gone.signalCode !== null) return
      const ended = new Promise(resolve => {
        gone.once('exit', resolve)
      })
      gone.kill('SIGKILL')
      await ended
    },
  }
  return server
}

/** Waits until its models are there: before, it answers 503. */
export async function loaded({ origin }: Llama): Promise<void> {
  for (let n = 0; n < 1_200; n++) {
    if (
      await fetch(`${origin}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await new Promise(resolve => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error('llama-server loads for more than a minute')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => {
    server.close(resolve)
  })
  return port
}
