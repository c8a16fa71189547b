/** Mail addresses, the names of users in paths, and hosts of the own network. Pure. */
import { isEveryday } from '../search/everyday-words.ts'
import { stem } from '../search/terms.ts'
import type { Finder, SecretMatch } from './secret-kinds.ts'

/** Endings that are of files and of code, not of hosts. */
const noEnding =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|js|mjs|cjs|ts|tsx|jsx|json|md|html?|py|rb|rs|go|java|c|h|cpp|txt|log|lock|ya?ml|toml|tgz|zip|gz|rc|alpha|beta|dev\d)$/i
const localPart = /[\p{L}\p{N}!#$%&'*+/=?^_{|}~.-]{1,64}$/u
const domain = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}@-])/uy

export const mailAddresses: Finder = text => {
  const found: SecretMatch[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = localPart.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? ''
    const local = before
      .slice(Math.max(...['/', '=', '&', '?', "'", '|', '{', '}'].map(sign => before.lastIndexOf(sign))) + 1)
      .replace(/^[^\p{L}\p{N}]+/u, '')
    domain.lastIndex = at + 1
    const host = domain.exec(text)?.[0] ?? ''
    if (local === '' || host === '' || local.endsWith('.') || noEnding.test(host) || /^\d+\.\d/.test(host)) continue
    if (/^(?:git|hg|svn|noreply|no-reply)$/i.test(local)) continue // nobody's: ssh of a host, a sender that takes nothing
    const value = `${local}@${host}`
    found.push({ kind: 'mail', from: at - local.length, to: at + 1 + host.length, value })
  }
  return found
}

/** Names that every machine has, and words that stand for a name. */
const nobody =
  /^(?:user|users|username|name|me|you|your.?name|yourname|myuser|someone|shared|public|default|all users|runner|runneradmin|root|admin|administrator|ubuntu|debian|node|app|vscode|jovyan|work|guest|home|test|ec2-user|pi|linuxbrew|codespace|gitpod|student|developer|dev|www-data|oai|sandbox|library|\w)$/i
const homes =
  /(?:(?<![\w.-])(?:\/mnt\/[a-z])?\/(?:home|Users)\/|\b[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4})(?<name>[\p{L}\p{N}][\p{L}\p{N}._-]{0,62})/gu

export const userNames: Finder = text => {
  const found: SecretMatch[] = []
  for (const match of text.matchAll(homes)) {
    const value = (match.groups?.['name'] ?? '').replace(/[.-]+$/, '')
    if (value === '' || nobody.test(value)) continue
    const from = match.index + match[0].length - (match.groups?.['name'] ?? '').length
    found.push({ kind: 'user', from, to: from + value.length, value, word: true })
  }
  return found
}

/** Whether a user's name is looked for outside of paths too: not where it is a word of everyday, or very short. */
export function isTellingName(name: string): boolean {
  return (
    name.length >= 4 &&
    !isEveryday(stem(name.toLowerCase())) &&
    (name.length >= 6 || /[\d._-]/.test(name) || !/^[a-z]+$/.test(name))
  )
}

const privateIp =
  /(?<![\w.-])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2})(?![\w-]|\.\d)/g
const ownIp6 = /(?<![\w:.])(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f])(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi
const ownEnding = /\.(?:local|lan|internal|intranet|corp|localdomain|home\.arpa|ts\.net)(?![\w(-]|\.\w|\s*=|\[)/g
const labels = /(?<![\p{L}\p{N}_.$/@-])(?:[a-z0-9][a-z0-9-]{0,62}\.){0,5}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u
const inAddress =
  /:\/\/(?:[^\s/@]{0,200}@)?(?<host>[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?:[a-z0-9-]{1,61}\.){0,5}(?:local|lan|internal|intranet|corp|localdomain|home|home\.arpa|ts\.net))?)(?=[:/\s"'`)]|$)(?!:[^\s/@]{0,200}@)/gi
const inLogin =
  /(?<=@)(?:[a-z0-9-]{1,61}\.){1,6}(?:local|lan|internal|intranet|corp|localdomain|home|home\.arpa|ts\.net)(?![\w-])/gi
/** Names that devices and services of a network usually have. */
const usualDevice =
  /^(?:nas|printer|router|gateway|server|fileserver|mailserver|raspberrypi|homeassistant|hass|git|gitlab|gitea|jenkins|wiki|mail|db|database|postgres|proxmox|pve|unifi|fritz|synology|box|gpu|host|desktop|laptop|macbook|imac|plex|jellyfin|grafana|vault|registry|intranet|api|dev|staging|prod|test|www|auth|sso|ldap|dns|vpn)\./
const saysHost = /(?:["'`@]|\b(?:at|on|to|from|via|host|server|address|ssh|ping|is|called|named|auf|bei|von|zu)\s)$/i

/** `chat.local` may be a member of an object: names of letters alone count where something says that they are hosts. */
function isNoMember(name: string, before: string): boolean {
  return !/\.(?:local|internal)$/.test(name) || /[\d-]/.test(name) || usualDevice.test(name) || saysHost.test(before)
}

/** What stands before a dot in code, and in names of packages. */
const noHost =
  /^(?:this|self|config|conf|options?|opts|settings|state|props|module|package|import|window|process|env|data|cache|com|org|net|io|java|javax|kotlin|sun|std|core|node|internal|lib|app|context|ctx|scope|storage|chrome|browser|store|is|isLocal|docker|usr|bin|etc)\./i

export const ownHosts: Finder = text => {
  const found: SecretMatch[] = []
  const seen = new Set<number>()
  const take = (from: number, value: string): void => {
    if (seen.has(from)) return
    seen.add(from)
    found.push({ kind: 'host', from, to: from + value.length, value, word: true })
  }
  for (const { index, 0: value } of text.matchAll(privateIp)) {
    const isVersion = /(?:\bv|version|release|build|==|~|\^)\s?$/i.test(text.slice(Math.max(0, index - 9), index))
    if (!isVersion && value.split('.').every(part => Number(part) < 256)) take(index, value)
  }
  for (const { index, 0: value } of text.matchAll(ownIp6))
    if (value.length > 6 && (value.includes('::') || value.split(':').length === 8)) take(index, value)
  for (const { index, 0: ending } of text.matchAll(ownEnding)) {
    const front = labels.exec(text.slice(Math.max(0, index - 200), index))?.[0] ?? ''
    const [from, value] = [index - front.length, front + ending]
    if (front !== '' && !noHost.test(value) && isNoMember(value, text.slice(Math.max(0, from - 12), from)))
      take(from, value)
  }
  for (const match of text.matchAll(inAddress)) {
    const host = match.groups?.['host'] ?? ''
    const isOwn =
      host.includes('.') ||
      (!/^(?:localhost|host|hostname|server|example|\d+)$/i.test(host) && text[match.index + match[0].length] === ':')
    if (isOwn) take(match.index + match[0].length - host.length, host)
  }
  for (const { index, 0: value } of text.matchAll(inLogin)) take(index, value)
  return found
}
