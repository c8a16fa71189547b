import { expect, it } from 'vitest'
import { importsOfEntries } from './entries.ts'

const script = (fileName: string, more: Partial<Parameters<typeof importsOfEntries>[0][number]> = {}) => ({
  fileName,
  isEntry: false,
  moduleIds: [],
  imports: [],
  dynamicImports: [],
  ...more,
})

it('finds each script that imports an entry back, at once or later, and nothing else', () => {
  const entry = script('agent.worker-1.js', { isEntry: true, imports: ['shared-1.js'], dynamicImports: ['lazy-1.js'] })
  expect(importsOfEntries([entry, script('shared-1.js'), script('lazy-1.js', { imports: ['shared-1.js'] })])).toEqual(
    [],
  )
  expect(importsOfEntries([entry, script('lazy-1.js', { imports: ['shared-1.js', 'agent.worker-1.js'] })])).toEqual([
    { entry: 'agent.worker-1.js', by: 'lazy-1.js' },
  ])
  expect(importsOfEntries([entry, script('lazy-1.js', { dynamicImports: ['agent.worker-1.js'] })])).toEqual([
    { entry: 'agent.worker-1.js', by: 'lazy-1.js' },
  ])
})

it('takes a script that holds what starts the page for an entry, whatever it is called', () => {
  const first = script('first-1.js', { moduleIds: ['/app/src/ui/i18n/texts.ts', '/app/src/ui/main.ts'] })
  expect(importsOfEntries([first, script('zh-1.js', { imports: ['first-1.js'] })])).toEqual([
    { entry: 'first-1.js', by: 'zh-1.js' },
  ])
})
