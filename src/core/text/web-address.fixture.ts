/** Addresses as somebody writes them who wants one host to be read and another one to be asked. */
import fc from 'fast-check'

const scheme = fc.constantFrom('https://', 'http://', 'HTTP://', 'https:/', 'https:', '//', 'ftp://', 'https://\t', ' https://', 'https:\\\\', 'javascript:')
const label = fc.oneof(
  fc.constantFrom(
    'github', 'gіthub', 'GITHUB', 'аррӏе', 'xn--gthub-n2e', 'xn--a', 'xn--', 'xn--0', 'xn--zzzzzzzzzz', 'xn--99999999', 'ｇｏｏｇｌｅ', 'Ⅷ', 'ß', '例子', 'مثال', 'דוגמה', 'नमूना', 'faß', '☃', '💩', 'a_b', '-a', 'ab--c', '①', '\u200d', 'a\u200db', 'क्‍ष',
    'localhost', 'local', 'com', 'org', 'arpa', '127', '0x7f', '0177', '1', '2130706433', '4294967295', '4294967296', '00', '0x', '192', '168', '10',
    '\u202e', '\u00ad', '\ufeff', '%2e', '%00', '%C3%A9', ' ', '\t', '\n',
  ),
  fc.stringMatching(/^[a-z0-9-]{1,12}$/), fc.string({ unit: 'grapheme', maxLength: 6 }), fc.stringMatching(/^xn--[a-z0-9-]{1,10}$/),
)
const name = fc.tuple(fc.array(label, { minLength: 1, maxLength: 5 }), fc.constantFrom('.', '。', '．', '..', '%2e'), fc.constantFrom('', '.'))
  .map(([labels, dot, end]) => labels.join(dot) + end)
const host = fc.oneof(
  name, name, fc.ipV6().map(address => `[${address}]`), fc.ipV4(), fc.ipV4Extended(),
  fc.constantFrom('[::ffff:127.0.0.1]', '[::1%25eth0]', '[::', '[v1.x]', '::1', ''),
)
const before = fc.oneof(fc.constant(''), fc.constant(''), fc.constant(''), name.map(text => `${text}@`), fc.constantFrom('user:pass@', '@', 'https:@', 'a@b@', 'github.com%40', 'github.com\\@', 'github.com/@', 'github.com#@', 'github.com?@'))
const port = fc.oneof(fc.constant(''), fc.constant(''), fc.constantFrom(':80', ':443', ':0', ':65535', ':65536', ':', ':080', ':80:90', ':x', ':８０'), fc.nat(70_000).map(number => `:${number}`))
const rest = fc.oneof(fc.constant(''), fc.constantFrom('/', '\\', '/..//', '?', '#', '/%zz', '/\u202egpj', '/字?q=字#字', '/%E5%AD%97%E2%80%AE', '\\.evil.example/', '/a b', '/\n'), fc.webPath(), fc.string({ unit: 'grapheme', maxLength: 20 }).map(text => `/${text}`))

export const trickyAddress = fc.tuple(scheme, before, host, port, rest).map(parts => parts.join(''))
