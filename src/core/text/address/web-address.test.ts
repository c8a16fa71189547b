import { describe, expect, it } from 'vitest'
import { addressSpace } from './web-address.ts'

describe('a host', () => {
  it('is of this computer, of the local network, or public', () => {
    const hosts = {
      loopback: [
        'localhost',
        'localhost.',
        'a.localhost',
        'localhost.localdomain',
        '127.0.0.1',
        '127.9.9.9',
        '0.0.0.0',
        '[::1]',
        '[::]',
        '[::ffff:7f00:1]',
      ],
      local: [
        '10.0.0.1',
        '192.168.1.5',
        '172.16.0.1',
        '172.31.255.1',
        '169.254.1.1',
        '100.64.0.1',
        '100.127.255.254',
        '0.1.2.3',
        '198.18.0.1',
        '224.0.0.251',
        '255.255.255.255',
        '[fd00::1]',
        '[fc00::1]',
        '[fe80::1]',
        '[febf::1]',
        '[fec0::1]',
        '[ff02::fb]',
        '[::ffff:a00:1]',
        'nas',
        'nas.',
        'box.local',
        'box.lan',
        'box.internal',
        'box.home.arpa',
      ],
      public: [
        '1.1.1.1',
        '172.32.0.1',
        '172.15.0.1',
        '192.169.0.1',
        '100.1.2.3',
        '100.128.0.1',
        '198.20.0.1',
        '223.255.255.255',
        'example.org',
        '[2001:db8::1]',
        '[::ffff:101:101]',
        '127.0.0.1.evil.example',
        'localhost.evil.example',
        'local.example',
        '',
      ],
    } as const
    for (const [space, names] of Object.entries(hosts))
      for (const host of names) expect([host, addressSpace(host)]).toEqual([host, space])
  })
})
