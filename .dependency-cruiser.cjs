/**
 * The walls of the house: arrows only point down, and there are no cycles. Each rule names the folder that it guards.
 */
const wall = (name, from, to, comment, fromNot) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: ['\\.(test|laws|fixture)\\.ts$', ...(fromNot ?? [])] },
  to,
})
const floor2 = ['bridge', 'models', 'storage', 'net']

/**
 * The order of subjects within a folder: each may import what stands before it, so it can be understood with these
 * alone. `.` are the files that lie directly in the folder; `a|b` do not know each other.
 */
const orders = {
  'src/core': ['.', 'text', 'log', 'imports', 'ports', 'context', 'agent'],
  'src/core/imports': ['shape', 'readers', '.'],
  'src/core/text': ['.', 'display', 'address', 'search', 'redaction'],
  'src/core/log': ['.', 'model-view', 'file-format'],
  'src/core/context': ['.', 'config', 'size', 'view', 'summary', 'compaction', 'steps', 'strategies', 'overflow'],
  'src/core/agent': [
    'api',
    'i18n',
    'archive',
    'search',
    'tools',
    'session',
    'privacy',
    'request',
    'model-call',
    'turn',
    'lifecycle',
    'use-cases',
    'memory',
    'transfer',
    'share',
    'commands',
    '.',
  ],
  'src/models': ['shared', 'server-errors', 'catalogue', 'tool-calls', 'remote', 'diagnosis', 'recall', 'engines', '.'],
  'src/models/engines': ['shared', 'webllm|llamacpp|prompt-api', '.'],
  'src/net': ['model-stream', '.'],
  'src/storage': ['rows', 'indexeddb', '.'],
  'src/bridge': ['shared', 'page|worker'],
  'src/ui': [
    'browser',
    'files',
    'i18n',
    'transcript',
    'installed',
    'state',
    'markdown',
    'parts',
    'composer',
    'models',
    'servers',
    'permission',
    'chat',
    'memory',
    'pages',
    'timeline',
    'context',
    'library',
    'share',
    'local-models',
    'settings',
    'shell',
    'first-start',
    '.',
  ],
  'src/ui/state': ['draft', '.'],
  'src/ui/i18n': ['format', 'en', 'zh', '.'],
  bench: [
    'shared',
    'replay',
    'imports',
    'chats',
    'peers',
    'context',
    'real-work',
    'memory',
    'browser',
    'llama-server',
    '.',
  ],
  e2e: ['fixtures', 'servers', '.', 'screenshots', 'engines|app|chat|data|models'],
}
/** Pattern of the files of a subject: for `.` those directly in the folder, else all below the subject's folder. */
const place = (folder, subject) => (subject === '.' ? `^${folder}/[^/]+\\.(ts|svelte)$` : `^${folder}/${subject}/`)
const inOrder = Object.entries(orders).flatMap(([folder, layers]) =>
  layers.flatMap((layer, at) =>
    layer.split('|').flatMap(subject => {
      const later = layers.slice(at + 1).flatMap(other => other.split('|'))
      const forbidden = [...later, ...layer.split('|').filter(other => other !== subject)]
      return forbidden.length === 0
        ? []
        : [
            wall(
              `${folder}/${subject}-order`,
              place(folder, subject),
              { path: forbidden.map(other => place(folder, other)) },
              'subjects stand in an order (`orders` in .dependency-cruiser.cjs)',
            ),
          ]
    }),
  ),
)
const inNoOrder = Object.entries(orders).map(([folder, layers]) => ({
  name: `${folder}-without-order`,
  severity: 'error',
  comment: 'A new folder takes its place in `orders` in .dependency-cruiser.cjs.',
  from: {},
  to: {
    path: `^${folder}/(?!node_modules/)[^/]+/`, // the peers of the benchmarks are installed there
    pathNot: layers.flatMap(layer => layer.split('|')).map(subject => place(folder, subject)),
  },
}))

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', comment: 'Type imports count too.', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'The peers of the benchmarks are installed apart.',
      from: { pathNot: '^bench/peers/[^/]*-peers\\.ts$' },
      to: { couldNotResolve: true, pathNot: '^(virtual|data):' },
    },
    wall(
      'core-imports-core',
      '^src/core/',
      { pathNot: '^src/core/' },
      'core is pure: no package, no adapter, no screen',
    ),
    wall(
      'text-is-ground',
      '^src/core/text/',
      { pathNot: '^src/core/(text/|errors\\.ts$)' },
      'text imports nothing above it',
    ),
    wall(
      'log-knows-text',
      '^src/core/log/',
      { pathNot: '^src/core/(text|log)/|^src/core/errors\\.ts$' },
      'log stands on text',
    ),
    wall(
      'ports-know-log',
      '^src/core/ports/',
      { pathNot: '^src/core/(log|ports)/|^src/core/errors\\.ts$' },
      'ports import only types of log, and what is said to engines',
    ),
    wall(
      'context-knows-log',
      '^src/core/context/',
      { pathNot: '^src/core/(text|log|context)/|^src/core/errors\\.ts$' },
      'context gets handed what it may use',
    ),
    ...floor2.map(folder =>
      wall(
        `${folder}-knows-core`,
        `^src/${folder}/`,
        { path: '^(src|workers|bench|e2e)/', pathNot: `^src/(core|${folder})/` },
        'adapters know core, not each other',
      ),
    ),
    wall(
      'ui-imports',
      '^src/ui/',
      {
        path: '^(src|workers|bench|e2e)/',
        pathNot:
          '^src/(ui|core)/|^src/bridge/(page/connect-(agent|engines|exports)|shared/(line-diff|received-shares))\\.ts$|^src/models/(catalogue/(catalog|preset-hints|key-forms|address-or-key|tool-use)|diagnosis/(local-network|server-commands)|engines/(prompt-api/(prompt-api|language-model)|webllm/webllm-(device|list|folder)|llamacpp/cpu-list))\\.ts$',
      },
      'the screen knows the bridge, pure parts of core, the catalogues, and the one model that must live on the page',
    ),
    wall(
      'e2e-imports-nothing',
      '^e2e/',
      { path: '^(src|workers)/', pathNot: '\\.fixture\\.ts$' },
      'e2e drives the browser; it may share the corpora of the unit tests',
    ),
    wall('dexie-in-storage', '^(src|workers)/', { path: 'node_modules/dexie/' }, 'Dexie lives in storage', [
      '^src/storage/',
    ]),
    wall('comlink-in-bridge', '^(src|workers)/', { path: 'node_modules/comlink/' }, 'Comlink lives in bridge', [
      '^src/bridge/',
    ]),
    ...inOrder,
    ...inNoOrder,
    wall('product-without-bench', '^(src|workers)/', { path: '^(bench|e2e)/' }, 'the product does not know its tests'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'import', 'browser', 'default', 'types'],
      extensions: ['.ts', '.js', '.svelte', '.mjs'],
    },
  },
}

/** For the law that each of these folders has a README. Hidden: dependency-cruiser takes no keys but its own. */
Object.defineProperty(module.exports, 'orders', { value: orders })
