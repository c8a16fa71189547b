/**
 * More secrets, in other forms, written after the finder: what it had not seen. On the first run 13 of 297 were left in
 * (tables, elements of XML, a password behind Bearer, a compound word, a login); they are found since.
 */
import { toBase64 } from '../base64.ts'
import type { Planted } from './planted.fixture.ts'
import {
  alnum,
  between,
  chanceFrom,
  digits,
  hex,
  ibanOf,
  lower,
  oneOf,
  signs,
  upper,
  urlSafe,
  withLuhn,
  type Chance,
} from './seeded.fixture.ts'

type Make = (chance: Chance) => string

const keys: readonly (readonly [name: string, make: Make])[] = [
  ['OPENAI_API_KEY', c => ['sk', 'svcacct', signs(c, urlSafe, 130)].join('-')],
  ['ANTHROPIC_KEY', c => ['sk', 'ant', 'admin01', signs(c, urlSafe, 93)].join('-')],
  ['AWS_ACCESS_KEY_ID', c => `ASIA${signs(c, `${upper}234567`, 16)}`],
  ['secretAccessKey', c => `${signs(c, alnum, 20)}/${signs(c, alnum, 19)}`],
  ['api-key', c => signs(c, hex, 32)],
  ['CI_JOB_TOKEN', c => ['glcbt', `64_${signs(c, urlSafe, 20)}`].join('-')],
  ['slackToken', c => ['xoxp', signs(c, digits, 12), signs(c, digits, 12), signs(c, hex, 32)].join('-')],
  ['STRIPE_KEY', c => ['rk', 'live', signs(c, alnum, 40)].join('_')],
  ['MAILGUN_KEY', c => `${signs(c, hex, 32)}-${signs(c, hex, 8)}-${signs(c, hex, 8)}`],
  ['CO_API_KEY', c => signs(c, alnum, 40)],
  ['mistralApiKey', c => signs(c, alnum, 32)],
  ['DEEPSEEK_API_KEY', c => `sk-${signs(c, hex, 32)}`],
  ['_authToken', c => `npm_${signs(c, alnum, 36)}`],
  ['TELEGRAM_TOKEN', c => `${between(c, 1, 9)}${signs(c, digits, 8)}:${signs(c, urlSafe, 35)}`],
  ['password', c => `${signs(c, lower, 6)}${signs(c, digits, 4)}`],
  ['password', c => `${signs(c, upper, 1)}${signs(c, lower, 5)}-${signs(c, lower, 5)}-${signs(c, digits, 2)}!`],
]

const ways: readonly ((value: string, name: string) => string)[] = [
  (value, name) => `config:\n\n\`\`\`yaml\nservice:\n  ${name}: ${value}\n  port: 80\n\`\`\``,
  value => `fetch(url, { headers: { Authorization: \`Bearer ${value}\` } })`,
  (value, name) => `{"cmd":"docker run -e ${name}=${value} -p 80:80 app"}`,
  (value, name) => `$env:${name} = '${value}'`,
  (value, name) => `Response: ${JSON.stringify({ body: JSON.stringify({ [name]: value, ok: true }) })}`,
  (value, name) => `| name | value |\n|---|---|\n| ${name} | \`${value}\` |`,
  (value, name) =>
    `const ${name.replace(/\W/g, '_')} =\n  "${value.slice(0, value.length / 2)}" +\n  "${value.slice(value.length / 2)}";`,
  (value, name) => `<add key="${name}" value="${value}" />`,
  (value, name) => `data:\n  ${name}: ${toBase64(new TextEncoder().encode(value))}`,
  (value, name) => `https://hooks.example.com/x?${name}=${encodeURIComponent(encodeURIComponent(value))}`,
]

const others: readonly (readonly [kind: string, make: Make, ways: readonly ((value: string) => string)[]])[] = [
  [
    'card',
    c => withLuhn(`34${signs(c, digits, 12)}`),
    [it => `amex ${it.slice(0, 4)} ${it.slice(4, 10)} ${it.slice(10)}`, it => `card=${it};exp=09/28`],
  ],
  [
    'card',
    c => withLuhn(`4${signs(c, digits, 14)}`),
    [it => `Karte ${it.replace(/(\d{4})(?=\d)/g, '$1-')}`, it => `pay ${it.slice(0, 8)}\n${it.slice(8)}`],
  ],
  [
    'IBAN',
    c => ibanOf('CH', signs(c, digits, 17)),
    [it => it.replace(/(.{4})(?=.)/g, '$1 '), it => `IBAN:${it}.`, it => `<iban>${it}</iban>`],
  ],
  [
    'user',
    c => `${signs(c, lower, 7)}.${signs(c, lower, 5)}`,
    [
      it => `/Users/${it}/Library/Logs/a.log`,
      it => `at Object (C:\\Users\\${it}\\app\\index.js:1:2)`,
      it => `/mnt/c/Users/${it}/x`,
    ],
  ],
  [
    'mail',
    c => `${signs(c, lower, 6)}+news@${signs(c, lower, 8)}.io`,
    [
      it => `From: "X" <${it}>`,
      it => `user=${encodeURIComponent(it)}`,
      it => `${it.slice(0, -4)}\n${it.slice(-4)} is mine`,
    ],
  ],
  [
    'phone',
    c => `+33 6 ${[1, 2, 3, 4].map(() => signs(c, digits, 2)).join(' ')}`,
    [it => `tél. ${it}`, it => `"phone": "${it}"`],
  ],
  ['phone', c => `0151 ${signs(c, digits, 8)}`, [it => `Meine Handynummer: ${it}`, it => `Tel.: ${it}`]],
  ['phone', c => `1${oneOf(c, ['39', '57', '88'])}${signs(c, digits, 8)}`, [it => `微信同号 ${it}`, it => `电话${it}`]],
  [
    'host',
    c => `192.168.${between(c, 0, 254)}.${between(c, 1, 254)}`,
    [it => `ssh -p 22 pi@${it}`, it => `inet ${it}/24 brd`, it => `OLLAMA_HOST=${it}:11434`],
  ],
  [
    'host',
    c => `${signs(c, lower, 6)}.${oneOf(c, ['corp', 'intranet', 'lan', 'home.arpa'])}`,
    [it => `https://${it}/wiki`, it => `ping ${it}`, it => `jdbc:postgresql://${it}:5432/x`],
  ],
]

/** Every key in every form, and the others in theirs: 185 secrets. */
export function secretsInOtherForms(seed: number): Planted[] {
  const chance = chanceFrom(seed)
  const plant = (kind: string, value: string, text: string): Planted => ({ kind, form: 'code', value, text })
  return [
    ...keys.flatMap(([name, make]) =>
      ways.map(way => {
        const value = make(chance)
        return plant(name, value, way(value, name))
      }),
    ),
    ...others.flatMap(([kind, make, own]) =>
      own.map(way => {
        const value = make(chance)
        return plant(kind, value, way(value))
      }),
    ),
  ]
}
