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
          '^src/(ui|core)/|^src/bridge/page/connect-(agent|engines)\\.ts$|^src/models/(catalogue/(catalog|tool-use)|diagnosis/(local-network|server-commands)|engines/(prompt-api/prompt-api|webllm/webllm-(device|list|folder)|llamacpp/cpu-list))\\.ts$',
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
