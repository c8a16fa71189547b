/**
 * Secrets and personal data of the usual kinds, planted in texts as people and models write them. Written before the
 * finder. Each is put together at run time, so that none stands in the repository.
 */
import { toBase64 } from '../base64.ts'
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

export type PlantForm = 'prose' | 'code' | 'json' | 'address' | 'broken'

/** `text` holds `value`, written as its form wants it: with escapes, percent signs, or over a line break. */
export type Planted = { kind: string; form: PlantForm; value: string; text: string }

/** `called`: what people call it in a sentence; `name`: its name in code and JSON, where it has one. */
type Kind = { kind: string; called: string; name: string; make: (chance: Chance) => string; own?: Own }

/** How a kind is written where it is not written as a key is. */
type Own = Partial<Record<PlantForm, (value: string, chance: Chance) => string>>

const key = (kind: string, name: string, make: Kind['make'], called = `${kind} key`): Kind => ({
  kind,
  called,
  name,
  make,
})

const keys: readonly Kind[] = [
  key('OpenAI', 'OPENAI_API_KEY', c => ['sk', 'proj', signs(c, urlSafe, 120)].join('-')),
  key('OpenAI, older', 'OPENAI_KEY', c => `sk-${signs(c, alnum, 20)}T3${'Blbk'}FJ${signs(c, alnum, 20)}`),
  key('Anthropic', 'ANTHROPIC_API_KEY', c => ['sk', 'ant', 'api03', `${signs(c, urlSafe, 93)}AA`].join('-')),
  key('Google', 'GEMINI_API_KEY', c => `AIza${'Sy'}${signs(c, urlSafe, 33)}`),
  key('Google OAuth', 'GOOGLE_CLIENT_SECRET', c => `GOCSPX-${signs(c, urlSafe, 28)}`),
  key('AWS', 'AWS_ACCESS_KEY_ID', c => `AKIA${signs(c, `${upper}234567`, 16)}`),
  key(
    'AWS secret',
    'AWS_SECRET_ACCESS_KEY',
    c => `${signs(c, alnum, 12)}/${signs(c, alnum, 15)}+${signs(c, alnum, 11)}`,
  ),
  key('Azure storage', 'AccountKey', c => `${signs(c, `${alnum}+/`, 85)}w==`),
  key('Azure OpenAI', 'AZURE_OPENAI_API_KEY', c => signs(c, hex, 32)),
  key('Azure AD', 'AZURE_CLIENT_SECRET', c => `${signs(c, alnum, 3)}8Q~${signs(c, `${urlSafe}~.`, 33)}a`),
  key('GitHub', 'GITHUB_TOKEN', c => `ghp_${signs(c, alnum, 36)}`, 'GitHub token'),
  key('GitHub, fine', 'GH_TOKEN', c => ['github', 'pat', signs(c, alnum, 22), signs(c, alnum, 59)].join('_')),
  key('GitLab', 'GITLAB_TOKEN', c => `glpat-${signs(c, urlSafe, 20)}`, 'GitLab token'),
  key('Slack', 'SLACK_BOT_TOKEN', c =>
    ['xoxb', signs(c, digits, 12), signs(c, digits, 13), signs(c, alnum, 24)].join('-'),
  ),
  key('Stripe', 'STRIPE_SECRET_KEY', c => ['sk', 'live', signs(c, alnum, 24)].join('_')),
  key('Twilio', 'TWILIO_API_KEY', c => `SK${signs(c, hex, 32)}`),
  key('Twilio token', 'TWILIO_AUTH_TOKEN', c => signs(c, hex, 32), 'Twilio auth token'),
  key('SendGrid', 'SENDGRID_API_KEY', c => ['SG', signs(c, urlSafe, 22), signs(c, urlSafe, 43)].join('.')),
  key('Mailgun', 'MAILGUN_API_KEY', c => ['key', signs(c, hex, 32)].join('-')),
  key('Hugging Face', 'HF_TOKEN', c => `hf_${signs(c, upper + lower, 34)}`, 'Hugging Face token'),
  key('xAI', 'XAI_API_KEY', c => `xai-${signs(c, alnum, 80)}`),
  key('Groq', 'GROQ_API_KEY', c => `gsk_${signs(c, alnum, 52)}`),
  key('OpenRouter', 'OPENROUTER_API_KEY', c => ['sk', 'or', 'v1', signs(c, hex, 64)].join('-')),
  key('Cohere', 'COHERE_API_KEY', c => signs(c, alnum, 40)),
  key('Mistral', 'MISTRAL_API_KEY', c => signs(c, alnum, 32)),
  key('npm', 'NPM_TOKEN', c => `npm_${signs(c, alnum, 36)}`, 'npm token'),
  key('PyPI', 'PYPI_TOKEN', c => ['pypi', `AgEIcHlwaS5vcmc${signs(c, urlSafe, 120)}`].join('-'), 'PyPI token'),
  key('DigitalOcean', 'DO_TOKEN', c => ['dop', 'v1', signs(c, hex, 64)].join('_'), 'DigitalOcean token'),
  key(
    'Telegram',
    'BOT_TOKEN',
    c => `${between(c, 1, 9)}${signs(c, digits, 9)}:AA${signs(c, urlSafe, 33)}`,
    'bot token',
  ),
  key('Discord', 'DISCORD_TOKEN', c =>
    [`MT${signs(c, alnum, 24)}`, signs(c, alnum, 6), signs(c, urlSafe, 38)].join('.'),
  ),
  key('JWT', 'ACCESS_TOKEN', jwt, 'token'),
  {
    ...key('private key', 'PRIVATE_KEY', pem, 'private key'),
    own: { prose: it => `The key of the server:\n\n${it}\n\nKeep it.` },
  },
  {
    ...key('password', 'DB_PASSWORD', password, 'password'),
    own: {
      code: it => `const db = connect({ host: "db.example.com", password: ${JSON.stringify(it)} })`,
      json: it => JSON.stringify({ user: 'app', password: it }),
      address: it => `psql postgres://app:${encodeURIComponent(it)}@db.example.com:5432/shop`,
      broken: (it, c) => `The password is \`${broken(it, c)}\` since Monday.`,
    },
  },
  {
    ...key('password in an env file', 'SMTP_PASS', password, 'SMTP password'),
    own: {
      code: it => `SMTP_HOST=mail.example.com\nSMTP_PASS='${it}'\nSMTP_PORT=587`,
      address: it => `smtp://mailer:${encodeURIComponent(it)}@mail.example.com`,
    },
  },
]

const people = ['anna', 'bjoern', 'chiara', 'dmitri', 'emeka', 'farida', 'gabor', 'hanako', 'ines', 'jonas']
const names = ['mayer', 'okafor', 'rossi', 'tanaka', 'novak', 'haddad', 'silva', 'larsen', 'kowalski', 'weber']

const personal: readonly Kind[] = [
  {
    kind: 'card',
    called: 'card',
    name: 'card_number',
    make: c => withLuhn(oneOf(c, ['4', '51', '55', '2221']).padEnd(4, '7') + signs(c, digits, 11)),
    own: {
      prose: it => `Pay with ${it.replace(/(\d{4})(?=\d)/g, '$1 ')}, it is valid until 09/29.`,
      broken: it => `Pay with ${it.slice(0, 4)} ${it.slice(4, 8)}\n${it.slice(8, 12)} ${it.slice(12)} please.`,
    },
  },
  {
    kind: 'IBAN',
    called: 'account',
    name: 'iban',
    make: c =>
      oneOf(c, [
        () => ibanOf('DE', signs(c, digits, 18)),
        () => ibanOf('GB', `WEST${signs(c, digits, 14)}`),
        () => ibanOf('FR', signs(c, digits, 23)),
        () => ibanOf('NL', `ABNA${signs(c, digits, 10)}`),
      ])(),
    own: {
      prose: it => `Send it to ${it.replace(/(.{4})(?=.)/g, '$1 ')}, please.`,
      broken: it =>
        `Send it to ${it.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 ')}\n${it.slice(12).replace(/(.{4})(?=.)/g, '$1 ')}.`,
    },
  },
  {
    kind: 'user name in a path',
    called: 'user',
    name: 'home',
    make: c => `${oneOf(c, people)}${oneOf(c, names)}${signs(c, digits, 2)}`,
    own: {
      prose: (it, c) =>
        `It lies in ${oneOf(c, [`/home/${it}/work`, `/Users/${it}/Desktop`, `C:\\Users\\${it}\\Documents`])}, as always.`,
      code: (it, c) => `open("${oneOf(c, [`/home/${it}/data.csv`, `C:\\\\Users\\\\${it}\\\\data.csv`])}")`,
      json: (it, c) => JSON.stringify({ cwd: oneOf(c, [`/Users/${it}/src`, `C:\\Users\\${it}\\src`]), ok: true }),
      address: it => `file:///home/${it}/report.pdf`,
      broken: it => `error in /home/\n${it}/project/main.rs`,
    },
  },
  {
    kind: 'mail address',
    called: 'mail address',
    name: 'email',
    make: c =>
      `${oneOf(c, people)}.${oneOf(c, names)}@${oneOf(c, ['posteo', 'kontor', 'uni-west', 'maildesk'])}${signs(c, digits, 2)}.${oneOf(c, ['de', 'com', 'org', 'co.uk'])}`,
    own: {
      prose: it => `Write to ${it}.`,
      address: it => `https://news.example.org/unsubscribe?to=${encodeURIComponent(it)}&list=3`,
      broken: it => `Write to ${it.replace('@', '@\n')} tomorrow.`,
    },
  },
  {
    kind: 'phone number',
    called: 'number',
    name: 'phone',
    make: c =>
      oneOf(c, [
        () => `+49 171 ${signs(c, digits, 7)}`,
        () => `+1 (${between(c, 2, 9)}12) 555-0${signs(c, digits, 3)}`,
        () => `+86 138 ${signs(c, digits, 4)} ${signs(c, digits, 4)}`,
        () => `+44 20 7946 0${signs(c, digits, 3)}`,
      ])(),
    own: {
      prose: it => `Call me: ${it}, after six.`,
      address: it => `tel:${it.replace(/[^+\d]/g, '')}`,
      broken: it => `Call ${broken(it, () => 0.5, ' ')} after six.`,
    },
  },
  {
    kind: 'phone number of a country',
    called: 'phone',
    name: 'mobile',
    make: c =>
      oneOf(c, [
        () => `1${oneOf(c, ['38', '50', '86', '99'])}${signs(c, digits, 8)}`,
        () => `(${between(c, 2, 9)}15) 555-0${signs(c, digits, 3)}`,
        () => `0${between(c, 30, 89)} ${between(c, 2, 9)}${signs(c, digits, 6)}`,
      ])(),
    own: {
      prose: it => `My phone number is ${it}.`,
      address: it => `https://shop.example.com/order?phone=${encodeURIComponent(it)}`,
      broken: it => `Phone:\n${it}, after six.`,
    },
  },
  {
    kind: 'host of the own network',
    called: 'host',
    name: 'host',
    make: c =>
      oneOf(c, [
        () => `192.168.${between(c, 2, 250)}.${between(c, 2, 250)}`,
        () => `10.${between(c, 0, 250)}.${between(c, 0, 250)}.${between(c, 2, 250)}`,
        () => `172.${between(c, 16, 31)}.${between(c, 0, 250)}.${between(c, 2, 250)}`,
        () =>
          `${oneOf(c, ['nas', 'printer', 'git', 'build'])}-${oneOf(c, names)}.${oneOf(c, ['local', 'lan', 'internal'])}`,
        () => `fd${signs(c, hex, 2)}:${signs(c, hex, 4)}:${signs(c, hex, 4)}::${between(c, 1, 99)}`,
      ])(),
    own: {
      prose: it => `The box answers at ${it} only.`,
      address: it => `http://${it.includes('::') ? `[${it}]` : it}:8080/status`,
      broken: (it, c) => `ssh root@\\\n${it}${oneOf(c, ['', ' -v'])}`,
    },
  },
]

const forms: readonly PlantForm[] = ['prose', 'code', 'json', 'address', 'broken']

/** Every kind in every form: 205 secrets. */
export function plantedSecrets(seed: number): Planted[] {
  const chance = chanceFrom(seed)
  return [...keys, ...personal].flatMap(kind => forms.map(form => plant(kind, form, chance)))
}

function plant({ kind, called, name, make, own }: Kind, form: PlantForm, chance: Chance): Planted {
  const value = make(chance)
  return { kind, form, value, text: own?.[form]?.(value, chance) ?? usual[form]({ value, called, name, chance }) }
}

type Writing = { value: string; called: string; name: string; chance: Chance }

const usual: Record<PlantForm, (it: Writing) => string> = {
  prose: ({ value, called }) => `My ${called} is ${value}, please do not lose it.`,
  code: ({ value, name }) => `export ${name.toUpperCase()}="${value}"\nnode server.js`,
  json: ({ value, name }) => JSON.stringify({ debug: false, [name.toLowerCase()]: value, retries: 3 }, null, 2),
  address: ({ value, name }) =>
    `curl "https://api.example.com/v1/me?${name.toLowerCase()}=${encodeURIComponent(value)}&page=2"`,
  broken: ({ value, name, chance }) => `${name}=${broken(value, chance)}\n`,
}

/** Over a line break somewhere in its middle. */
function broken(value: string, chance: Chance, at?: string): string {
  const middle =
    at === undefined ? Math.floor(value.length * (0.35 + chance() * 0.3)) : value.indexOf(at, value.length / 3)
  return `${value.slice(0, middle)}\n${value.slice(middle).trimStart()}`
}

/** Letters, digits and signs, as a generator makes them. */
function password(chance: Chance): string {
  return `${signs(chance, lower, 3)}${oneOf(chance, ['!', '$', '%', '#', '+', '/'])}${signs(chance, upper, 3)}${signs(chance, digits, 3)}${signs(chance, lower, 3)}`
}

function jwt(chance: Chance): string {
  const part = (value: object): string =>
    toBase64(new TextEncoder().encode(JSON.stringify(value)))
      .replace(/=+$/, '')
      .replaceAll('+', '-')
      .replaceAll('/', '_')
  return [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ sub: signs(chance, digits, 8), admin: true }),
    signs(chance, urlSafe, 43),
  ].join('.')
}

function pem(chance: Chance): string {
  const rows = Array.from({ length: 6 }, () => signs(chance, `${alnum}+/`, 64))
  const mark = (word: string): string => `-----${word} ${'RSA'} PRIVATE KEY-----`
  return [mark('BEGIN'), ...rows, `${signs(chance, alnum, 30)}==`, mark('END')].join('\n')
}
