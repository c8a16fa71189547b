import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { buildTarget } from './.ci/browsers.ts'
import { entriesAlone, entryFacades, startModule } from './.ci/entries.ts'
import { licences } from './.ci/licences.ts'
import { sizeBudget } from './.ci/size-budget.ts'
import { tokenRanks } from './.ci/token-ranks.ts'
import { wllamaFiles } from './.ci/wllama-files.ts'

/** Files that other programs may share with the app: texts, by endings whose type systems do not agree on. */
const sharedEndings = ['.jsonl', '.ndjson', '.md', '.csv', '.tsv', '.log', '.yaml', '.yml', '.toml', '.ini', '.xml']

/**
 * The page registers the service worker itself (ui/browser/app-update.ts); the plugin only builds it and the manifest.
 */
const pwa: Partial<VitePWAOptions> = {
  strategies: 'injectManifest',
  srcDir: 'workers',
  filename: 'service-worker.ts',
  registerType: 'prompt',
  injectRegister: false,
  includeManifestIcons: false, // the pattern below finds them
  injectManifest: {
    rollupFormat: 'iife', // not every browser takes a module here
    // Everything, the lazy parts too. Files of engines are listed, but kept only when an engine is used
    // (workers/engine-files.ts).
    globPatterns: ['**/*.{js,css,html,svg,png,woff2,wasm,json,txt}'],
    globIgnores: ['screenshots/**'],
    // engines are listed too (WebLLM's script has 7 MB, wllama's programs 10 and 19): they are kept once they were used
    maximumFileSizeToCacheInBytes: 20_000_000,
  },
  manifest: {
    id: './',
    name: 'Haversack',
    short_name: 'Haversack',
    description:
      'An AI agent in a browser tab that keeps everything that was said and shows the model exactly what fits.',
    start_url: './',
    scope: './',
    display: 'standalone',
    background_color: '#fbfaf7',
    theme_color: '#f3f0e9',
    categories: ['productivity', 'utilities'],
    icons: [
      { src: 'icons/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: 'icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: 'icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    screenshots: [
      {
        src: 'screenshots/wide.png',
        sizes: '1360x860',
        type: 'image/png',
        form_factor: 'wide',
        label: 'A chat, and what of it the model sees',
      },
      {
        src: 'screenshots/narrow.png',
        sizes: '390x844',
        type: 'image/png',
        form_factor: 'narrow',
        label: 'A chat on a phone',
      },
    ],
    // A window of its own: to navigate one that is open would end the answer that is written in it, and only to show
    // it would lose what is shared (docs/decisions/installed.md).
    launch_handler: { client_mode: 'navigate-new' },
    share_target: {
      action: './share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['text/*', 'application/json', 'application/xml', ...sharedEndings] }],
      },
    },
    file_handlers: [{ action: './', accept: { 'application/x-ndjson': ['.jsonl', '.ndjson'] } }],
    shortcuts: [
      ['New chat', 'new'],
      ['Search', 'search'],
      ['Memory', 'memory'],
      ['Archive', 'archive'],
    ].map(([name, place]) => ({
      name: name!,
      url: `./#/${place}`,
      icons: [{ src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
    })),
  },
}

/**
 * The development server puts styles into the page and speaks through a socket, which the policy of the built page
 * forbids.
 */
const looseInDevelopment = (): Plugin => ({
  name: 'loose-in-development',
  apply: 'serve',
  transformIndexHtml: {
    order: 'pre',
    handler: html => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''),
  },
})

/** The laws take longest: they begin, and the others do the rest meanwhile. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(b.moduleId.includes('.laws.')) - Number(a.moduleId.includes('.laws.')))
  }
}

/**
 * Which modules share a script. By itself each set of modules that the same lazy parts need becomes one: 97 files of
 * the app for the first page, 152 with the first chat, most of them below 2 kB (2026-11). An entry stays by itself.
 */
const output = {
  codeSplitting: {
    groups: [
      {
        name: 'first',
        tags: ['$initial' as const],
        test: (id: string) => !startModule.test(id),
        priority: 1,
      },
      {
        name: 'shared',
        minShareCount: 2,
        entriesAware: true,
        entriesAwareMergeThreshold: 10_000 /* bytes of source */,
      },
    ],
  },
  // Those that are shared have the names of all that share them.
  chunkFileNames: ({ name }: { name: string }) => `assets/${name.split('~')[0]}-[hash].js`,
  assetFileNames: ({ names }: { names: string[] }) =>
    `assets/${names[0]?.replace(/~[^.]*/, '').replace(/\.[^.]+$/, '')}-[hash][extname]`,
}

const growth = 'src/core/growth.long.test.ts'
const components = 'src/ui/**/*.component.test.ts'
/** Left to `npm test`: `npm run check` sets HAVERSACK_QUICK. */
const long = process.env['HAVERSACK_QUICK'] ? ['**/*.long.test.ts'] : []

export default defineConfig({
  base: './', // any folder of any static host
  plugins: [
    svelte(),
    VitePWA(pwa),
    looseInDevelopment(),
    entriesAlone(),
    sizeBudget(),
    wllamaFiles(),
    licences({ writes: true }),
  ],
  build: {
    target: buildTarget,
    cssTarget: buildTarget,
    sourcemap: process.env['HAVERSACK_SOURCEMAPS'] === '1',
    rolldownOptions: { output },
  },
  worker: {
    format: 'es',
    rolldownOptions: { output },
    plugins: () => [entryFacades(), entriesAlone(), tokenRanks(), wllamaFiles(), licences({ writes: false })],
  },
  // Its build for browsers wants a document, which workers do not have; pages become Markdown in a worker.
  resolve: {
    alias: {
      'decode-named-character-reference': fileURLToPath(
        new URL('node_modules/decode-named-character-reference/index.js', import.meta.url),
      ),
    },
  },
  server: { port: 5147, strictPort: true },
  preview: {
    port: 5147,
    strictPort: true,
    headers: { 'Content-Security-Policy': "frame-ancestors 'none'", 'X-Content-Type-Options': 'nosniff' },
  }, // the same as in public/_headers
  test: {
    environment: 'node',
    // ms; only what hangs takes as long. Random tests take longer the more often they run.
    testTimeout: 120_000 + 100 * Number(process.env['HAVERSACK_RUNS'] ?? 0),
    // Loading every module anew for each file would take half of the time. Three for two cores: some tests wait for a
    // clock. Processes, not threads: what grows with its input is told from the processor time of its own process.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'workers/**/*.test.ts', 'bench/**/*.test.ts', '.ci/**/*.test.ts'],
          exclude: ['**/node_modules/**', growth, ...long, components],
        },
      },
      {
        // Svelte's build for browsers, in a document of happy-dom: what a component says, not how it looks.
        extends: true,
        resolve: { conditions: ['browser'] },
        test: { name: 'components', include: [components], environment: 'happy-dom' },
      },
      ...(long.length > 0
        ? []
        : [{ extends: true as const, test: { name: 'growth', include: [growth], isolate: true } }]),
    ],
    setupFiles: ['.ci/random-seed.ts'],
    sequence: { sequencer: LongestFirst },
  },
})
