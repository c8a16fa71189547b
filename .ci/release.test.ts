import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { nextVersion, obstacles, released, unreleasedOf, versionsIn } from './release.ts'

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const text = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a\n\n## [0.1.0] - 2026-11-28\n\n- b\n'

it('the changelog has a place for what is unreleased, and a section of the version that the package says', () => {
  const changelog = read('CHANGELOG.md')
  expect(() => unreleasedOf(changelog)).not.toThrow()
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(versionsIn(changelog)[0]).toBe(version)
  const lock = JSON.parse(read('package-lock.json')) as {
    version: string
    packages: Record<string, { version: string }>
  }
  expect([lock.version, lock.packages['']?.version]).toEqual([version, version])
})

it('a version is a step up, or a higher one', () => {
  expect(nextVersion('0.1.9', 'patch')).toBe('0.1.10')
  expect(nextVersion('0.1.9', 'minor')).toBe('0.2.0')
  expect(nextVersion('0.1.9', 'major')).toBe('1.0.0')
  expect(nextVersion('0.1.9', '0.1.10')).toBe('0.1.10')
  expect(nextVersion('0.9.0', '1.0.0')).toBe('1.0.0')
  for (const low of ['0.1.9', '0.1.8', '0.0.10']) expect(() => nextVersion('0.1.9', low)).toThrow('is not above')
  for (const odd of [undefined, '', 'v0.2.0', '0.2', '0.02.0', '0.2.0-rc.1', 'huge'])
    expect(() => nextVersion('0.1.9', odd), odd).toThrow('Which version?')
})

it('what was unreleased moves below the version and its day', () => {
  const next = released(text, '0.2.0', '2026-12-01')
  expect(next).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- a\n\n## [0.1.0] - 2026-11-28\n\n- b\n',
  )
  expect(versionsIn(next)).toEqual(['0.2.0', '0.1.0'])
  expect(unreleasedOf(text)).toBe('### Added\n\n- a')
  expect(unreleasedOf(next)).toBe('')
})

it('nothing is released twice, or without a word about it', () => {
  expect(() => released(text, '0.1.0', 'today')).toThrow('0.1.0 already')
  expect(() => released(released(text, '0.2.0', 'today'), '0.3.0', 'today')).toThrow('Nothing stands below')
  expect(() => released('# Changelog\n', '0.2.0', 'today')).toThrow('has no')
})

it('a release is made of what is committed on main, once', () => {
  const well = { branch: 'main', status: '', tags: ['v0.1.0'], version: '0.2.0' }
  expect(obstacles(well)).toEqual([])
  expect(obstacles({ ...well, branch: 'own' })).toEqual(['This is the branch own; releases are made on main.'])
  expect(obstacles({ ...well, branch: '', status: ' M a.ts\n', version: '0.1.0' })).toEqual([
    'This is no branch; releases are made on main.',
    'Something is not committed:\n M a.ts',
    'The tag v0.1.0 is there already.',
  ])
})
