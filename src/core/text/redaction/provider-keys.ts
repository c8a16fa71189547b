/** Keys and tokens that are known by how they begin. Pure. */
import { beginsWord, type Finder, type SecretMatch } from './secret-kinds.ts'

/**
 * By provider: how a key begins, and what follows; `fixed` where all have one length. What is longer than it should be
 * is taken to its end. Sources: the providers' own pages on key formats, and keys as seen (2026-11).
 */
const forms: readonly { of: string; begins: string; rest: string; fixed?: true }[] = [
  { of: 'OpenRouter', begins: 'sk-or-', rest: '[\\w-]{20,100}' },
  { of: 'Anthropic', begins: 'sk-ant-', rest: '[\\w-]{20,200}' },
  { of: 'OpenAI', begins: 'sk-(?:proj|svcacct|admin|None)-', rest: '[\\w-]{20,250}' },
  { of: 'OpenAI', begins: 'sk-', rest: '(?=[A-Za-z]{0,60}\\d)[A-Za-z0-9]{20,100}' },
  { of: 'Google', begins: 'AIza', rest: '[\\w-]{35}', fixed: true },
  { of: 'Google', begins: 'GOCSPX-', rest: '[\\w-]{20,40}' },
  { of: 'Google', begins: 'ya29\\.', rest: '[\\w-]{20,500}' },
  { of: 'Google', begins: '1//0', rest: '[\\w-]{30,150}' },
  { of: 'AWS', begins: '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)', rest: '[A-Z0-9]{16}', fixed: true },
  { of: 'GitHub', begins: 'gh[pousr]_', rest: '[A-Za-z0-9]{30,255}' },
  { of: 'GitHub', begins: 'github_pat_', rest: '\\w{40,255}' },
  { of: 'GitLab', begins: 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-', rest: '[\\w.-]{20,80}' },
  { of: 'Slack', begins: 'xox[abeoprs]-', rest: '[\\w-]{10,200}' },
  { of: 'Slack', begins: 'xapp-', rest: '[\\w-]{20,200}' },
  { of: 'Slack', begins: 'https://hooks\\.slack\\.com/(?:services|workflows|triggers)/', rest: '[\\w/-]{20,150}' },
  { of: 'Stripe', begins: '(?:sk|rk)_(?:live|test)_', rest: '[A-Za-z0-9]{16,250}' },
  { of: 'Stripe', begins: 'whsec_', rest: '[A-Za-z0-9+/=]{20,100}' },
  { of: 'Twilio', begins: '(?:SK|AC)', rest: '[0-9a-f]{32}', fixed: true },
  { of: 'SendGrid', begins: 'SG\\.', rest: '[\\w-]{16,32}\\.[\\w-]{16,64}' },
  { of: 'Mailgun', begins: 'key-', rest: '[0-9a-f]{32}', fixed: true },
  { of: 'Hugging Face', begins: '(?:hf|api_org)_', rest: '[A-Za-z0-9]{30,60}' },
  { of: 'xAI', begins: 'xai-', rest: '[A-Za-z0-9]{40,120}' },
  { of: 'Groq', begins: 'gsk_', rest: '[A-Za-z0-9]{40,80}' },
  { of: 'Perplexity', begins: 'pplx-', rest: '[A-Za-z0-9]{32,80}' },
  { of: 'Replicate', begins: 'r8_', rest: '[A-Za-z0-9]{30,60}' },
  { of: 'Fireworks', begins: 'fw_', rest: '[A-Za-z0-9]{20,60}' },
  { of: 'Tavily', begins: 'tvly-', rest: '[\\w-]{20,80}' },
  { of: 'LangSmith', begins: 'lsv2_', rest: '\\w{30,100}' },
  { of: 'npm', begins: 'npm_', rest: '[A-Za-z0-9]{36}', fixed: true },
  { of: 'PyPI', begins: 'pypi-', rest: '[\\w-]{50,500}' },
  { of: 'RubyGems', begins: 'rubygems_', rest: '[0-9a-f]{40,60}' },
  { of: 'Docker', begins: 'dckr_(?:pat|oat)_', rest: '[\\w-]{20,60}' },
  { of: 'DigitalOcean', begins: 'do[opr]_v1_', rest: '[0-9a-f]{64}', fixed: true },
  { of: 'Databricks', begins: 'dapi', rest: '[0-9a-f]{32}(?:-\\d)?', fixed: true },
  {
    of: 'Discord',
    begins: 'https://(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/webhooks/',
    rest: '\\d{15,22}/[\\w-]{40,100}',
  },
  { of: 'Shopify', begins: 'shp(?:at|ca|pa|ss)_', rest: '[0-9a-fA-F]{32}', fixed: true },
  { of: 'Square', begins: 'sq0(?:atp|csp|idp)-', rest: '[\\w-]{20,50}' },
  { of: 'Linear', begins: 'lin_(?:api|oauth)_', rest: '[A-Za-z0-9]{30,70}' },
  { of: 'Notion', begins: '(?:ntn_|secret_)', rest: '(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{40,60}' },
  { of: 'Figma', begins: 'fig[duo]_', rest: '[\\w-]{30,60}' },
  { of: 'Postman', begins: 'PMAK-', rest: '[0-9a-f]{24}-[0-9a-f]{34}', fixed: true },
  { of: 'Grafana', begins: 'gl(?:sa|c)_', rest: '[\\w=+/]{30,200}' },
  { of: 'Sentry', begins: 'sntry[su]_', rest: '[\\w=+/-]{40,300}' },
  { of: 'Vault', begins: 'hv[sbr]\\.', rest: '[\\w-]{20,200}' },
  { of: 'Doppler', begins: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', rest: '[\\w.-]{30,80}' },
  { of: 'Supabase', begins: 'sb(?:p_|_secret_)', rest: '\\w{20,60}' },
  { of: 'Airtable', begins: 'pat[A-Za-z0-9]{14}\\.', rest: '[0-9a-f]{64}', fixed: true },
  { of: 'age', begins: 'AGE-SECRET-KEY-1', rest: '[A-Z0-9]{58}', fixed: true },
  { of: 'JWT', begins: 'eyJ', rest: '[\\w-]{8,4000}\\.[\\w-]{8,8000}(?:\\.[\\w-]{0,2000}){1,3}' },
]

/** Begins anywhere that one may begin; which it is, and whether, is seen there. */
const anyBegin = new RegExp(forms.map(({ begins }) => `(?:${begins})`).join('|'), 'g')
const whole = forms.map(({ of, begins, rest, fixed }) => ({
  of,
  fixed,
  pattern: new RegExp(`${begins}${rest}[\\w-]{0,300}`, 'y'),
}))

/** Keys without a beginning of their own, by their shape. */
const shapes: readonly { of: string; pattern: RegExp; fixed?: true }[] = [
  { of: 'Mailgun', pattern: /\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/g, fixed: true },
  { of: 'Telegram', pattern: /\b\d{8,10}:[\w-]{35,80}/g, fixed: true },
  { of: 'Discord', pattern: /\b[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{25,80}/g },
  { of: 'Azure', pattern: /\b\w{3}8Q~[\w~.-]{31,60}/g },
]

export const providerKeys: Finder = text => {
  const found: SecretMatch[] = []
  for (const { of, pattern, fixed } of shapes)
    for (const { index, 0: value } of text.matchAll(pattern))
      if (beginsWord(text, index))
        found.push({ kind: 'key', of, from: index, to: index + value.length, value, ...(fixed ? { fixed } : {}) })
  anyBegin.lastIndex = 0
  for (let begin = anyBegin.exec(text); begin !== null; begin = anyBegin.exec(text)) {
    const from = begin.index
    const match = beginsWord(text, from) ? keyAt(text, from) : undefined
    if (match !== undefined) found.push(match)
    anyBegin.lastIndex = match?.to ?? from + 1
  }
  return found
}

function keyAt(text: string, from: number): SecretMatch | undefined {
  for (const { of, fixed, pattern } of whole) {
    pattern.lastIndex = from
    const value = pattern.exec(text)?.[0]
    if (value !== undefined)
      return { kind: 'key', of, from, to: from + value.length, value, ...(fixed ? { fixed } : {}) }
  }
  return undefined
}

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Keys between their marks. Of one whose mark is missing, because the text was cut, what looks like its rows. */
export const privateKeys: Finder = text => {
  const found: SecretMatch[] = []
  const take = (from: number, to: number): void => {
    found.push({ kind: 'private key', from, to, value: text.slice(from, to) })
  }
  let done = 0
  const ends = [...text.matchAll(end)]
  for (const { index, 0: mark } of text.matchAll(begin)) {
    if (index < done) continue
    while (ends.length > 0 && ends[0]!.index < index) ends.shift()
    const closing = ends[0]
    const rows = rowsBehind(text, index + mark.length)
    const isItsOwn =
      closing !== undefined &&
      !text.slice(index + mark.length, Math.min(closing.index, index + longestKey)).includes('-----BEGIN') &&
      closing.index - index < longestKey
    done = isItsOwn ? closing.index + closing[0].length : rows
    take(index, done)
  }
  const first = ends.length > 0 && found.length === 0 ? ends[0] : undefined
  if (first !== undefined) {
    const rows = /(?:[A-Za-z0-9+/=]{16,128}\s{1,4}){1,200}$/.exec(
      text.slice(Math.max(0, first.index - longestKey), first.index),
    )
    if (rows !== null) take(first.index - rows[0].length, first.index + first[0].length)
  }
  return found
}

/** UTF-16 units; a key of 16 384 bits takes 13 000. */
const longestKey = 16_000

function rowsBehind(text: string, from: number): number {
  const rows = /(?:\s{0,4}(?:[A-Za-z0-9+/=]{16,128}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{1,100})){0,300}/y
  rows.lastIndex = from
  return from + (rows.exec(text)?.[0].length ?? 0)
}
