/** Cards, bank accounts and phone numbers: digits that pass a check, or stand as only these do. Pure. */
import type { Finder, SecretMatch } from './secret-kinds.ts'

/** Issuers by the first digits, with the lengths that their cards have. */
const issuers: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9])/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16]],
  [/^3(?:0[0-5]|[68])/, [14]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[37])/, [16]],
]
const digitGroups = /(?<![\w.,+-])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)/g

export const cards: Finder = text => {
  const found: SecretMatch[] = []
  for (const { index, 0: written } of text.matchAll(digitGroups)) {
    const value = written.replace(/[ -]/g, '')
    const isGrouped = value !== written
    if (isGrouped && !/^\d{4}[ -]?\d{4,6}[ -]?\d{4,5}[ -]?\d{0,4}(?:[ -]?\d{1,3})?$/.test(written)) continue
    if (issuers.some(([begin, lengths]) => begin.test(value) && lengths.includes(value.length)) && passesLuhn(value))
      found.push({ kind: 'card', from: index, to: index + written.length, value, fixed: true, word: true })
  }
  return found
}

/** The check of ISO/IEC 7812. */
function passesLuhn(number: string): boolean {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0 && !/^(\d)\1+$/.test(number)
}

/** Length of an IBAN by country. Source: the registry of ISO 13616, 2026. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 ' +
    'MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 ' +
    'TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map(of => [of.slice(0, 2), Number(of.slice(2))]),
)
const ibanForm = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/g

export const bankAccounts: Finder = text => {
  const found: SecretMatch[] = []
  for (const { index, 0: run } of text.matchAll(ibanForm)) {
    const length = ibanLengths[run.slice(0, 2)]
    if (length === undefined) continue
    let to = 0
    for (let signs = 0; to < run.length && signs < length; to++) if (!/[ -]/.test(run[to]!)) signs++
    const value = run.slice(0, to).replace(/[ -]/g, '')
    if (value.length === length && passes97(value) && !/[A-Za-z0-9]/.test(text[index + to] ?? ''))
      found.push({ kind: 'account', from: index, to: index + to, value, fixed: true, word: true })
  }
  return found
}

function passes97(iban: string): boolean {
  let rest = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

const sep = '[ ./\\u00a0-]?'
const international = new RegExp(
  `(?<![\\w.+])(?:\\+|00(?=[1-9]\\d))[1-9](?:${sep}\\(?\\d\\)?){6,14}(?![\\w]|[.,]\\d)`,
  'g',
)
/** (415) 555-0123 and 415-555-0123; mobile numbers of China; two digits five times, as in France. */
const national =
  /(?<![\w.+/=-])(?:\(\d{3}\) ?\d{3}[ .-]\d{4}|[2-9]\d{2}-[2-9]\d{2}-\d{4}|1[3-9]\d(?:\d{8}|[ -]\d{4}[ -]\d{4}))(?![\w-]|[.,]\d)/g
/** Behind a word that says so: any number of seven digits and more. */
const announced =
  /(?:\b(?:tele(?:phone|fon|fono)|phone|tel|mobile|mobil|handy|cell|fax|call|whatsapp|\p{L}{2,12}nummer|téléphone|portable)\b|电话|電話|手机|手機|联系方式|携帯|전화)["'`*]{0,2}(?: (?:number|me|us|is|nr|no|at|on|unter))*[.:：=\s"'`*是]{1,6}(?<number>\+?\(?\d(?:[ ./()-]{0,2}\d){6,14})(?![\w-])/giu
const inQuery = /(?<=[?&;](?:phone|tel|mobile|cell|number|msisdn)=)\+?\(?\d(?:[ ./()+-]{0,2}\d){6,14}/gi

export const phoneNumbers: Finder = text => {
  const found: SecretMatch[] = []
  const take = (from: number, written: string): void => {
    const value = written.replace(/[^\d+]/g, '').replace(/^00/, '+')
    const count = value.replace('+', '').length
    if (count >= 7 && count <= 15 && !/^\d{4}-\d{2}-\d{2}/.test(written) && !/^(\d)\1+$/.test(value))
      found.push({ kind: 'phone', from, to: from + written.length, value, word: true })
  }
  for (const { index, 0: written } of text.matchAll(international))
    if (/^(?:\+|00)[^.]*$/.test(written) || written.startsWith('+')) take(index, written)
  for (const { index, 0: written } of text.matchAll(national)) take(index, written)
  for (const match of text.matchAll(announced)) {
    const number = match.groups?.['number'] ?? ''
    take(match.index + match[0].length - number.length, number)
  }
  for (const { index, 0: written } of text.matchAll(inQuery)) take(index, written)
  return found
}
