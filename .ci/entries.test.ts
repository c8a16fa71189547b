import { expect, it } from 'vitest'
import { importsOfEntries } from './entries.ts'

const script = (fileName: string, more: Partial<Parameters<typeof importsOfEntries>[0][number]> = {}) => ({
  fileName,
  isEntry: false,
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
