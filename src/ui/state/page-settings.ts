/**
 * Small settings of this page, kept outside the database: they are needed before it opens, and the number of chats must
 * survive an eviction of the database in order to tell of it. Never throws: where storage is blocked, nothing is kept.
 */
import type { Language } from '../../core/agent/api/api.ts'
import { browserLanguage } from '../i18n/texts.ts'
import type { ChatMark, StoredMarks } from './chat-marks.svelte.ts'

export type Theme = 'system' | 'light' | 'dark'
export type TextSize = 'small' | 'normal' | 'large' | 'larger'
export type PageSettings = {
  theme: Theme
  language: Language | 'system'
  text: TextSize
  panes: { library: boolean; context: boolean } // on a wide screen
  hadChats: number // at the last look
  lastChat?: string
  marks?: StoredMarks // beside chats in the list
  askedToKeep?: true // whether the browser shall keep the chats; it is asked once
  notify?: boolean // notifications of answers; not there until the person was asked
  mirrors?: { weights?: string; programs?: string } // hosts for models of this device, instead of the usual ones
}

const key = 'haversack'
const standard: PageSettings = {
  theme: 'system',
  language: 'system',
  text: 'normal',
  panes: { library: true, context: true },
  hadChats: 0,
}

export function readPageSettings(): PageSettings {
  try {
    return validSettings(JSON.parse(window.localStorage.getItem(key) ?? '{}'))
  } catch {
    return standard // blocked or damaged: the standard is as good as any
  }
}

export function savePageSettings(settings: PageSettings): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(settings))
  } catch {
    // Blocked or full: the setting holds until the page closes, and the notice about storage says so.
  }
}

/**
 * Whether nothing is stored here (any more): clearing the site's data removes it, an eviction of the database does not.
 */
export function storesNothing(): boolean {
  try {
    return window.localStorage.getItem(key) === null
  } catch {
    return true
  }
}

/** The settings in a value of any shape; what is missing or of the wrong type is the standard. */
export function validSettings(value: unknown): PageSettings {
  const from = isRecord(value) ? value : {}
  const panes = isRecord(from['panes']) ? from['panes'] : {}
  const mirrors = validMirrors(from['mirrors'])
  const marks = validMarks(from['marks'])
  return {
    theme: oneOf(from['theme'], ['system', 'light', 'dark'], standard.theme),
    language: oneOf(from['language'], ['system', 'en', 'zh'], standard.language),
    text: oneOf(from['text'], ['small', 'normal', 'large', 'larger'], standard.text),
    panes: { library: panes['library'] !== false, context: panes['context'] !== false },
    hadChats: typeof from['hadChats'] === 'number' && from['hadChats'] > 0 ? from['hadChats'] : 0,
    ...(typeof from['lastChat'] === 'string' ? { lastChat: from['lastChat'] } : {}),
    ...(from['askedToKeep'] === true ? { askedToKeep: true } : {}),
    ...(typeof from['notify'] === 'boolean' ? { notify: from['notify'] } : {}),
    ...(Object.keys(mirrors).length > 0 ? { mirrors } : {}),
    ...(Object.keys(marks).length > 0 ? { marks } : {}),
  }
}

const knownMarks: readonly unknown[] = ['runs', 'asks', 'stands', 'done'] satisfies ChatMark[]

function validMarks(value: unknown): StoredMarks {
  const marks = Object.entries(isRecord(value) ? value : {}).filter(([, mark]) => knownMarks.includes(mark))
  return Object.fromEntries(marks) as StoredMarks
}

/** Those that are web addresses. */
export function validMirrors(value: unknown): NonNullable<PageSettings['mirrors']> {
  const from = isRecord(value) ? value : {}
  const address = (text: unknown): text is string =>
    typeof text === 'string' && /^https?:\/\//.test(text) && URL.canParse(text)
  return {
    ...(address(from['weights']) ? { weights: from['weights'] } : {}),
    ...(address(from['programs']) ? { programs: from['programs'] } : {}),
  }
}

/** The language that holds for a setting. */
export function chosenLanguage(language: Language | 'system'): Language {
  return language === 'system' ? browserLanguage(navigator.languages ?? [navigator.language]) : language
}

/**
 * Makes the page look as the settings say. What stands there already is not written again: the browser would compute
 * every style anew.
 */
export function applyAppearance(
  { theme, text }: Pick<PageSettings, 'theme' | 'text'>,
  language: Language,
  root: Pick<Element, 'getAttribute' | 'setAttribute' | 'removeAttribute'> = document.documentElement,
): void {
  const wanted = {
    lang: language === 'zh' ? 'zh-Hans' : 'en',
    'data-theme': theme === 'system' ? null : theme,
    'data-text': text,
  }
  for (const [name, value] of Object.entries(wanted)) {
    if (root.getAttribute(name) === value) continue
    if (value === null) root.removeAttribute(name)
    else root.setAttribute(name, value)
  }
}

function oneOf<T extends string>(value: unknown, allowed: readonly T[], otherwise: T): T {
  return allowed.find(item => item === value) ?? otherwise
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
