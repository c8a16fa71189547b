import { domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../laws.fixture.ts'
import { readableRest, webAddress } from './asked-address.ts'
import { webUrl } from './web-address.ts'
import { trickyAddress } from './web-address.fixture.ts'

describe('an address', () => {
  it.each([
    ['http://gіthub.com/login', 'xn--gthub-n2e.com', 'gіthub.com', 'public'],
    ['https://例子.中国/', 'xn--fsqu00a.xn--fiqs8s', '例子.中国', 'public'],
    ['https://مثال.إختبار/', 'xn--mgbh0fb.xn--kgbechtv', 'مثال.إختبار', 'public'],
    ['http://0x7f.1:5663/', '127.0.0.1:5663', undefined, 'loopback'],
    ['http://2130706433:5663/', '127.0.0.1:5663', undefined, 'loopback'],
    ['http://0177.0.0.1/', '127.0.0.1', undefined, 'loopback'],
    ['http://127.0.0.1./', '127.0.0.1', undefined, 'loopback'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]', '127.0.0.1', 'loopback'],
    ['http://[::ffff:c0a8:101]/', '[::ffff:c0a8:101]', '192.168.1.1', 'local'],
    ['http://[0:0:0:0:0:0:0:1]:80/', '[::1]', undefined, 'loopback'],
    ['http://0/', '0.0.0.0', undefined, 'loopback'],
    ['http://LOCALHOST./', 'localhost.', undefined, 'loopback'],
    ['HTTPS://Example.ORG:443/a', 'example.org', undefined, 'public'],
    ['https://example.org./', 'example.org.', undefined, 'public'],
  ])('%s is %s', (text, host, readable, space) => {
    expect(webAddress(text)).toMatchObject({ host, space, ...(readable === undefined ? {} : { readable }) })
    expect(webAddress(text).readable).toBe(readable)
  })

  it.each([
    'nonsense',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ftp://x.example',
    'https://user@example.org/',
    'https://:pass@example.org/',
    'https://github.com@evil.example/',
    `https://example.org/${'a'.repeat(8_000)}`,
    `https://example.org/${'字'.repeat(1_000)}`,
    `https://${'a.'.repeat(150)}example/`,
    '',
  ])('refuses %#', text => {
    expect(() => webAddress(text)).toThrow()
  })

  it('is shown exactly as the browser requests it, whatever the text', () => {
    fc.assert(
      fc.property(trickyAddress, text => {
        let shown
        try {
          shown = webAddress(text)
        } catch {
          return
        }
        const asked = new URL(text)
        expect(shown).toMatchObject({ href: asked.href, host: asked.host, origin: asked.origin })
        expect(new URL(shown.href).href).toBe(shown.href)
        expect(shown.host).toMatch(/^[\x21-\x7e]+$/)
        expect(webUrl(shown.href).host).toBe(shown.host)
      }),
      runs(500),
    )
  })

  it('has a readable form that leads to the same host, as other readers of punycode say', () => {
    fc.assert(
      fc.property(trickyAddress, text => {
        let shown
        try {
          shown = webAddress(text)
        } catch {
          return
        }
        if (shown.readable === undefined || shown.host.startsWith('[')) return
        const { hostname } = new URL(shown.href)
        expect(new URL(`http://${shown.readable}/`).hostname).toBe(hostname)
        const others = domainToUnicode(hostname).split('.')
        for (const [n, label] of shown.readable.split('.').entries())
          expect([others[n], hostname.split('.')[n]]).toContain(label)
      }),
      runs(500),
    )
  })

  it('shows the letters of its path, but nothing that hides or reorders', () => {
    const rest = (text: string): string => readableRest(webAddress(text))
    expect(rest('https://a.example/路?名=é#ü')).toBe('/路?名=é#ü')
    expect(rest('https://a.example/a%2Fb%20c?d=%26')).toBe('/a%2Fb%20c?d=%26')
    for (const hidden of [
      '\u202e',
      '\u200b',
      '\u00a0',
      '\u3000',
      'ب',
      'א',
      '\u2028',
      '\u00ad',
      '\ufe0f',
      '\u3164',
      '\u034f',
    ])
      expect(rest(`https://a.example/${hidden}`)).toMatch(/^\/(%[0-9A-F]{2})+$/)
    expect(rest('https://a.example/%FF%FE')).toBe('/%FF%FE')
    fc.assert(
      fc.property(trickyAddress, text => {
        let shown
        try {
          shown = webAddress(text)
        } catch {
          return
        }
        expect(new URL(shown.origin + readableRest(shown)).href).toBe(shown.href)
      }),
      runs(500),
    )
  })
})
