/**
 * The built app as any static host serves it, with what a test needs: changed files, missing files, a log of requests.
 */
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
}

/** What gzip makes smaller; pictures, fonts and wasm are small already, or are not of the first load. */
const compressible = /\.(?:html|js|css|json|svg|webmanifest|txt)$/

export type StaticServer = {
  url: string
  port: number
  /** Paths asked for, in order. */
  requests: string[]
  /** From now on this path answers with what the function makes of the built file; undefined: 404. */
  change(path: string, edit: (text: string) => string | undefined): void
  close(): Promise<void>
}

/**
 * Serves `dist` on a free port of the loopback address, at the root or in a folder (`/sub`) that knows nothing else.
 * `compressed`: by gzip, as most hosts do.
 */
export async function serveStatic({
  dist = join(import.meta.dirname, '..', '..', 'dist'),
  folder = '',
  compressed = false,
} = {}): Promise<StaticServer> {
  const changes = new Map<string, (text: string) => string | undefined>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname))
    requests.push(path)
    const inside = path.startsWith(`${folder}/`) ? path.slice(folder.length) : undefined
    const name = inside === '/' ? '/index.html' : (inside ?? '')
    const file = join(dist, name)
    if (name === '' || !file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      return
    }
    const headers = { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' }
    const edit = changes.get(name)
    if (!edit) {
      const smaller = compressed && compressible.test(name)
      response.writeHead(200, smaller ? { ...headers, 'content-encoding': 'gzip' } : headers)
      if (smaller) createReadStream(file).pipe(createGzip()).pipe(response)
      else createReadStream(file).pipe(response)
      return
    }
    const text = edit(readFileSync(file, 'utf8'))
    if (text === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
    else response.writeHead(200, headers).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}${folder}`,
    port,
    requests,
    change(path, edit) {
      changes.set(path, edit)
    },
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
