/** What looks like a secret and is none, in texts as people and models write them. Written before the finder. */
import { alnum, between, chanceFrom, digits, hex, lower, oneOf, signs, type Chance } from './seeded.fixture.ts'

export type LookAlike = { kind: string; text: string }

const kinds: Record<string, (chance: Chance) => string> = {
  'commit id': c => `git show ${signs(c, hex, 40)} --stat`,
  'short commit id': c => `Fixed in ${signs(c, hex, 8)}, see the log.`,
  SHA256: c => `sha256: ${signs(c, hex, 64)}  dist/app.js`,
  MD5: c => `The checksum of the archive is ${signs(c, hex, 32)}.`,
  integrity: c => `"integrity": "sha512-${signs(c, `${alnum}+/`, 86)}=="`,
  UUID: c => `{"id":"${[8, 4, 4, 4, 12].map(n => signs(c, hex, n)).join('-')}","state":"done"}`,
  version: c => `Upgrade to v${between(c, 1, 20)}.${between(c, 0, 40)}.${between(c, 0, 90)}-beta.${between(c, 1, 9)}`,
  'version of four numbers': c =>
    `Chrome/${between(c, 90, 140)}.0.${between(c, 4000, 7000)}.${between(c, 10, 200)} Safari/537.36`,
  'npm package': c =>
    `npm i @${signs(c, lower, 6)}/${signs(c, lower, 8)}@${between(c, 1, 9)}.${between(c, 0, 20)}.${between(c, 0, 20)}`,
  decorator: c => `@${signs(c, lower, 5)}.${signs(c, lower, 6)}\ndef ${signs(c, lower, 6)}(user):\n    return user`,
  date: c =>
    `On 20${between(c, 10, 39)}-0${between(c, 1, 9)}-${between(c, 10, 28)} at ${between(c, 10, 23)}:${between(c, 10, 59)}:00`,
  timestamp: c => `{"created":17${signs(c, digits, 8)},"updatedAt":17${signs(c, digits, 11)}}`,
  'timestamp in ns': c => `start_time_unix_nano: 17${signs(c, digits, 17)}`,
  'book number': c => `ISBN 978-3-${signs(c, digits, 2)}-${signs(c, digits, 6)}-${signs(c, digits, 1)}, second edition`,
  'article number': c => `EAN 40${signs(c, digits, 11)} is sold out.`,
  'long decimal': c => `loss = ${between(c, 0, 9)}.${signs(c, digits, 17)} after epoch ${between(c, 1, 90)}`,
  'picture as base64': c => `<img src="data:image/png;base64,iVBORw0KGgo${signs(c, `${alnum}+/`, 120)}=">`,
  colour: c => `color: #${signs(c, hex, 6)}; background: #${signs(c, hex, 8)};`,
  'public address': c =>
    `ping ${oneOf(c, ['8.8.8.8', '1.1.1.1', `93.184.${between(c, 1, 250)}.${between(c, 1, 250)}`, `172.${between(c, 64, 80)}.1.${between(c, 1, 250)}`])}`,
  'public host': c => `https://docs.${signs(c, lower, 7)}.org/guide/${signs(c, lower, 5)}-${between(c, 1, 99)}#install`,
  'value of the environment': c =>
    oneOf(c, [
      'const key = process.env.API_KEY',
      'password: string',
      'token = get_token(user)',
      'API_KEY=<your key>',
      'export TOKEN=$(cat token.txt)',
      'api_key=os.environ["API_KEY"]',
      'password: ${DB_PASSWORD}',
      'max_tokens: 4096',
      'secretName: db-credentials',
      'passwordField.value = ""',
    ]),
  'model and file': c =>
    `${oneOf(c, ['Qwen3', 'Llama', 'Mistral', 'gemma'])}-${between(c, 1, 70)}B-Instruct-Q4_K_M.gguf, ${between(c, 1, 40)}.${between(c, 1, 9)} GB`,
  'picture at twice the size': c => `<img srcset="/${signs(c, lower, 5)}@2x.png 2x, /${signs(c, lower, 5)}@3x.png 3x">`,
  'path of nobody': c =>
    oneOf(c, [
      `/usr/local/lib/node_modules/${signs(c, lower, 6)}`,
      `/home/user/${signs(c, lower, 5)}`,
      `/var/lib/${signs(c, lower, 5)}/data`,
      `C:\\Windows\\System32\\${signs(c, lower, 6)}.dll`,
      `/Users/Shared/${signs(c, lower, 5)}`,
    ]),
  'words of code': c => `this.${signs(c, lower, 5)}.internal = config.local ?? options.lan`,
}

/** Eight of each kind: 200. */
export function lookAlikes(seed: number): LookAlike[] {
  const chance = chanceFrom(seed)
  return Object.entries(kinds).flatMap(([kind, make]) =>
    Array.from({ length: 8 }, () => ({ kind, text: make(chance) })),
  )
}
