import { describe, expect, it } from 'vitest'
import { toBase64 } from '../base64.ts'
import { readable } from './decoded.fixture.ts'
import { lookAlikes } from './look-alikes.fixture.ts'
import { secretsInOtherForms } from './other-forms.fixture.ts'
import { plantedSecrets } from './planted.fixture.ts'
import type { SecretKind } from './secret-kinds.ts'
import { SecretScan } from './secret-scan.ts'

const label = ({ kind, number }: { kind: SecretKind; number: number }): string =>
  `[removed-${kind.replace(' ', '-')}-${number}]`

function scanned(...texts: string[]): SecretScan {
  const scan = new SecretScan()
  for (const text of texts) scan.add(text)
  for (const index of texts.keys()) scan.spread(index)
  return scan
}
const redacted = (...texts: string[]): string[] => {
  const scan = scanned(...texts)
  return texts.map((_, index) => scan.redacted(index, { keep: new Set(), label }))
}
const found = (...texts: string[]): string[] => scanned(...texts).findings.map(({ kind, value }) => `${kind}: ${value}`)
const base64 = (text: string): string => toBase64(new TextEncoder().encode(text))

describe.each([1, 20_261_129])('planted and look-alikes of seed %i', seed => {
  it('leaves none of the planted secrets, each alone in a text', () => {
    const planted = plantedSecrets(seed)
    expect(planted.length).toBeGreaterThanOrEqual(200)
    expect(planted.flatMap(one => readable(redacted(one.text)[0]!, [one]))).toEqual([])
  })

  it('leaves none in other forms', () => {
    const planted = secretsInOtherForms(seed)
    expect(planted.length).toBe(185)
    expect(planted.flatMap(one => readable(redacted(one.text)[0]!, [one]))).toEqual([])
  })

  it.each(['\n', '\n\n'])('leaves none in one text that holds all of them, with %j between', between => {
    const planted = plantedSecrets(seed)
    const text = planted.map(one => one.text).join(between)
    expect(readable(redacted(text)[0]!, planted)).toEqual([])
  })

  it('proposes at most ten of 200 look-alikes', () => {
    const others = lookAlikes(seed)
    expect(others.length).toBe(200)
    const proposed = others.filter(({ text }) => found(text).length > 0).map(({ text }) => text)
    expect(proposed.length, proposed.join('\n')).toBeLessThanOrEqual(10)
  })

  it('finds nothing in what it made', () => {
    const once = plantedSecrets(seed).map(({ text }) => redacted(text)[0]!)
    expect(once.flatMap(text => found(text))).toEqual([])
  })
})

const key = ['sk', 'ant', 'api03', 'Zq8'.repeat(30)].join('-')
const mail = 'anna.mayer@posteo.de'

describe('a value that was found', () => {
  it('is one finding, wherever and however it stands', () => {
    const texts = [
      `The key is ${key}.`,
      JSON.stringify({ inner: JSON.stringify({ header: `Bearer ${key}` }) }),
      `see https://example.com/?q=${encodeURIComponent(encodeURIComponent(key))}`,
      base64(`user:${key}`),
      `${key.slice(0, 50)}\n   ${key.slice(50)}`,
    ]
    const scan = scanned(...texts)
    expect(scan.findings).toMatchObject([{ kind: 'key', of: 'Anthropic', number: 1 }])
    expect(new Set(scan.findings[0]!.places.map(({ text }) => text))).toEqual(new Set([0, 1, 2, 3, 4]))
    for (const [index, text] of texts.entries()) {
      const without = scan.redacted(index, { keep: new Set(), label })
      expect(readable(without, [{ kind: 'Anthropic', form: 'prose', value: key, text }])).toEqual([])
    }
  })

  it('is found where nothing tells of it, if it is told of elsewhere', () => {
    expect(redacted('the password is "tulip7garden"', 'I typed tulip7garden and it works')).toEqual([
      'the password is "[removed-password-1]"',
      'I typed [removed-password-1] and it works',
    ])
    expect(redacted('cd /home/mayer82/src', 'Hello mayer82, mayer820 is another')).toEqual([
      'cd /home/[removed-user-1]/src',
      'Hello [removed-user-1], mayer820 is another',
    ])
  })

  it('of a user whose name is a word stays a word', () => {
    expect(redacted('/home/mark/a.txt', 'Mark this: mark it.')).toEqual([
      '/home/[removed-user-1]/a.txt',
      'Mark this: mark it.',
    ])
  })

  it('stays where a person keeps it, and the others go', () => {
    const scan = scanned(`${mail} or ${key}`)
    const kept = scan.findings.find(({ kind }) => kind === 'mail')!.id
    expect(scan.redacted(0, { keep: new Set([kept]), label })).toBe(`${mail} or [removed-key-1]`)
  })

  it('is counted in the order of the texts', () => {
    expect(redacted(`${mail}, b.weber@kontor.org`, mail)).toEqual([
      '[removed-mail-1], [removed-mail-2]',
      '[removed-mail-1]',
    ])
  })
})

describe('what surrounds a secret stays', () => {
  it.each([
    [
      'postgres://app:tulip7garden@db.example.com:5432/shop',
      'postgres://app:[removed-password-1]@db.example.com:5432/shop',
    ],
    ['DB_PASSWORD=tulip7garden\nNEXT_PORT=3000\n', 'DB_PASSWORD=[removed-password-1]\nNEXT_PORT=3000\n'],
    [`export KEY="${key}"\nThen run it.`, 'export KEY="[removed-key-1]"\nThen run it.'],
    ['curl -u app:tulip7garden https://example.com', 'curl -u app:[removed-password-1] https://example.com'],
    ['密码是 tulip7garden，请记住', '密码是 [removed-password-1]，请记住'],
    ['Das Passwort lautet: tulip7garden.', 'Das Passwort lautet: [removed-password-1].'],
    ['Open http://nas.local:5000/photos now', 'Open http://[removed-host-1]:5000/photos now'],
    ['| password | `Bsshbh-stzwg-03!` |', '| password | `[removed-password-1]` |'],
    ['<add key="password" value="kymtwp7786" />', '<add key="password" value="[removed-password-1]" />'],
    ['ssh -p 22 pi@192.168.118.170', 'ssh -p 22 pi@[removed-host-1]'],
    ['Meine Handynummer: 0151 90272276', 'Meine Handynummer: [removed-phone-1]'],
    ['手机：13812345678', '手机：[removed-phone-1]'],
    [`write to\n${mail}\nat once`, 'write to\n[removed-mail-1]\nat once'],
  ])('%j', (text, without) => {
    expect(redacted(text)).toEqual([without])
  })
})

it.each([
  'git clone git@github.com:owner/name.git',
  'if (chat.local && model.local) return',
  'type Login = { password: string; token?: Token }',
  'const password = await ask(), token = request.headers.token',
  'The token limit is 4096 tokens; max_tokens=512',
  'sk-fading-circle-animation-delay-long-name',
  'On 2026-11-29 at 18:30:00 the build 10.0.19041.1 was 3.14159265358979 times faster',
  'curl http://localhost:8080 and http://127.0.0.1:11434/v1',
  '"password": "Enter your password"',
  "let asking = $state<'passphrase' | 'forget' | null>(null)",
  'It lies inside: `forget`, and the secret: `src/core/text`',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b, md5 62df8810c9db9d43dd70884efb391976',
])('takes nothing out of %j', text => {
  expect(found(text)).toEqual([])
})
