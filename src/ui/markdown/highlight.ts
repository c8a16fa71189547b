/** Colours for code: the highlighter and each language are loaded when first met. */
import type { HLJSApi, LanguageFn } from 'highlight.js'

/** Longer code stays plain: colouring it would hold up the page. UTF-16 units. */
const longest = 30_000

type Loader = () => Promise<{ default: LanguageFn }>
const loaders: Record<string, Loader> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}
const otherNames: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  h: 'c',
  'c++': 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  patch: 'diff',
  docker: 'dockerfile',
  golang: 'go',
  toml: 'ini',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsonc: 'json',
  json5: 'json',
  jsonl: 'json',
  kt: 'kotlin',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sass: 'scss',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  html: 'xml',
  svg: 'xml',
  svelte: 'xml',
  vue: 'xml',
  yml: 'yaml',
}

let engine: HLJSApi | undefined

/** The name under which a language is known here; undefined for one that is not. */
export function highlightLanguage(name: string): string | undefined {
  const known = name.toLowerCase()
  const language = Object.hasOwn(otherNames, known) ? otherNames[known]! : known
  return Object.hasOwn(loaders, language) ? language : undefined
}

/** HTML of coloured code if its language is loaded already; undefined otherwise. Escapes the code. */
export function highlightNow(code: string, name: string): string | undefined {
  const language = highlightLanguage(name)
  if (language === undefined || code.length > longest || !engine?.getLanguage(language)) return undefined
  return engine.highlight(code, { language, ignoreIllegals: true }).value
}

/**
 * The same, loading what is missing; undefined for an unknown language, too long a code, or when the part cannot be
 * loaded.
 */
export async function highlight(code: string, name: string): Promise<string | undefined> {
  const language = highlightLanguage(name)
  if (language === undefined || code.length > longest) return undefined
  try {
    engine ??= (await import('highlight.js/lib/core')).default
    if (!engine.getLanguage(language)) engine.registerLanguage(language, (await loaders[language]!()).default)
  } catch {
    return undefined // offline before the part was stored: the code stays readable without colours
  }
  return highlightNow(code, name)
}
