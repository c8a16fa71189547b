/** What stands in the place of what was taken out. Without blanks, so that an address stays one. */
import type { SecretKind } from '../../text/redaction/secret-kinds.ts'
import type { Language } from '../api/api.ts'

const labels: Readonly<Record<Language, Readonly<Record<SecretKind, (number: number) => string>>>> = {
  en: {
    'private key': n => `[removed-private-key-${n}]`,
    key: n => `[removed-key-${n}]`,
    password: n => `[removed-password-${n}]`,
    card: n => `[removed-card-${n}]`,
    account: n => `[removed-account-${n}]`,
    mail: n => `[removed-mail-${n}]`,
    phone: n => `[removed-phone-${n}]`,
    host: n => `[removed-host-${n}]`,
    user: n => `[removed-user-${n}]`,
  },
  zh: {
    'private key': n => `[已隐去私钥${n}]`,
    key: n => `[已隐去密钥${n}]`,
    password: n => `[已隐去密码${n}]`,
    card: n => `[已隐去卡号${n}]`,
    account: n => `[已隐去账号${n}]`,
    mail: n => `[已隐去邮箱${n}]`,
    phone: n => `[已隐去电话${n}]`,
    host: n => `[已隐去主机${n}]`,
    user: n => `[已隐去用户名${n}]`,
  },
}

/** The label of a finding, by its kind and its number within it. */
export function redactionLabel(language: Language): (of: { kind: SecretKind; number: number }) => string {
  return ({ kind, number }) => labels[language][kind](number)
}

const notSharedTexts: Readonly<Record<Language, string>> = { en: '[not-shared]', zh: '[未分享]' }

/** What stands in the place of a result that does not go out. */
export const notShared = (language: Language): string => notSharedTexts[language]
