import { expect, it } from 'vitest'
import { hashOf, routeOf, isRouteOf, type Route } from './route.ts'

it('comes back from the address as it went in', () => {
  const routes: Route[] = [
    { page: 'start' },
    { page: 'new' },
    { page: 'reset' },
    { page: 'memory' },
    { page: 'archive' },
    { page: 'chat', id: 'a/b %:c' },
    { page: 'search' },
    { page: 'shared', kept: true },
    { page: 'shared', kept: false },
    { page: 'archive', path: 'dialog/2026-01-31.jsonl' },
    { page: 'archive', path: 'dialog/2026-01-31.jsonl', line: 14 },
    { page: 'archive', path: 'workspace/a b:c.md', line: 2 },
  ]
  for (const route of routes) expect(routeOf(hashOf(route))).toEqual(route)
})

it('starts at the start for anything else', () => {
  for (const hash of ['', '#', '#/', '#/nowhere', '#/chat', '#/chat/']) expect(routeOf(hash)).toEqual({ page: 'start' })
})

it('takes a damaged escape as it stands', () => {
  expect(routeOf('#/chat/50%')).toEqual({ page: 'chat', id: '50%' })
})

it('knows an address that the person is on the way to from one that the open chat may rename', () => {
  for (const hash of ['#/new', '#/chat/mine']) expect(isRouteOf(hash, 'mine'), hash).toBe(true)
  for (const hash of ['#/chat/other', '#/archive', '#/memory', '#/archive/MEMORY.md', '#/reset', ''])
    expect(isRouteOf(hash, 'mine'), hash).toBe(false)
})
