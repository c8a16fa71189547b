/**
 * Entries stand alone: no other script of the build imports one. WebKit runs the script that starts a worker a second
 * time when another script imports it, and everything that the worker does would happen twice.
 */
import type { Plugin } from 'vite'

/**
 * Modules that start something when they are loaded. Where another script holds one, that is an entry too, whatever the
 * bundler calls it: what it waits for while it starts must not wait for it in turn.
 */
export const startModule = /(?:\/main|\.worker)\.ts$|\.html$/

/** A script of the build, as far as the check looks at it. */
export type Script = {
  fileName: string
  isEntry: boolean
  moduleIds: string[]
  imports: string[]
  dynamicImports: string[]
}

/** Which script imports which entry. Empty: every entry stands alone. */
export function importsOfEntries(scripts: readonly Script[]): { entry: string; by: string }[] {
  const starts = ({ isEntry, moduleIds }: Script): boolean => isEntry || moduleIds.some(id => startModule.test(id))
  const entries = new Set(scripts.filter(starts).map(({ fileName }) => fileName))
  return scripts.flatMap(({ fileName, imports, dynamicImports }) =>
    [...new Set([...imports, ...dynamicImports])]
      .filter(name => entries.has(name))
      .map(entry => ({ entry, by: fileName })),
  )
}

/**
 * Gives the shared code of each worker a script of its own, so that no other script needs to import the entry. For the
 * workers' build; the page's does it by itself.
 */
export function entryFacades(): Plugin {
  return {
    name: 'entry-facades',
    apply: 'build',
    // Vite sets `false` for workers whatever their settings say.
    options: options => ({ ...options, preserveEntrySignatures: 'strict' }),
  }
}

/** Fails the build where a script imports an entry. For the page's build and the workers'. */
export function entriesAlone(): Plugin {
  return {
    name: 'entries-alone',
    apply: 'build',
    generateBundle(_, bundle) {
      const found = importsOfEntries(Object.values(bundle).filter(file => file.type === 'chunk'))
      if (found.length === 0) return
      this.error(
        `These scripts import the script that starts a page or a worker; WebKit would run it twice:\n${found.map(({ entry, by }) => `  ${by} imports ${entry}`).join('\n')}`,
      )
    },
  }
}
