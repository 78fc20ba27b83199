import { describe, expect, it } from '@jest/globals';
import { addressKind } from './address.ts';
import { readAllowedTargets } from './allowed-targets.ts';
import { isListed, mayConnect, type TargetRules, targetFault } from './target.ts';

const production: TargetRules = { allowLoopback: false, ports: [443, 8443], allowed: [] };
const development = { ...production, allowLoopback: true };
const allowing = (text: string) => ({ ...production, allowed: readAllowedTargets(text) });

const PUBLIC = [
  ...['https://example.com', 'https://example.com:8443/hooks?x=1', 'https://localhost.example.com/'],
  ...['https://bücher.example/', 'https://xn--bcher-kva.example/', 'https://example.com./'],
  ...['https://8.8.8.8/', 'https://[2606:4700:4700::1111]/'],
];

const REFUSED_HOSTS: [kind: string, hosts: string[]][] = [
  ['private', ['10.0.0.1', '172.16.5.4', '192.168.1.1', '[fc00::1]', '[fec0::1]']],
  ['link-local', ['169.254.1.1', '[fe80::1]']],
  ['of metadata', ['169.254.169.254', '100.100.100.200', '168.63.129.16', '[fd00:ec2::254]']],
  ['not of one host', ['0.0.0.0', '255.255.255.255', '224.0.0.1', '240.0.0.1', '[::]', '[ff02::1]']],
  ['of documentation and benchmarks', ['203.0.113.5', '198.19.255.1', '[2001:db8::1]', '[3fff::1]']],
  [
    'of protocols',
    ['192.0.0.192', '192.31.196.1', '192.175.48.1', '192.52.193.1', '192.88.99.1', '[100::1]'],
  ],
  ['IPv4 mapped to IPv6', ['[::ffff:10.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:8.8.8.8]']],
  ['IPv4 in IPv6', ['[::10.0.0.1]', '[::ffff:0:10.0.0.1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]']],
  ['translated', ['[64:ff9b::10.0.0.1]', '[64:ff9b:1::10.0.0.1]', '[2002:0a00:0001::1]']],
  ['private as numbers', ['167772161', '0x0a000001', '012.0.0.1', '10.1', '0300.0xa8.257', '0']],
  ['private in other characters', ['１０.0.0.1', '10。0。0。1', '①⓪.0.0.1', '%31%30.0.0.1', '10.0.\t0.\n1']],
  ['private with a trailing dot', ['10.0.0.1.', '169.254.169.254.']],
  ['in a zone', ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[2606:4700:4700::1111%25lo]']],
  ['behind a user', ['user:secret@example.com', 'example.com@10.0.0.1', 'user@example.com']],
  ['behind a backslash', ['10.0.0.1\\\\@example.com']],
  ['at another port', ['example.com:22', 'example.com:6379', 'example.com:8080']],
];

const REFUSED_URLS = [
  ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com/'],
  ...['javascript:alert(1)', 'example.com', 'https://', 'https://[::1'],
];

const LOOPBACK = [
  ...['https://127.0.0.1/', 'https://127.8.9.10:3000/', 'https://[::1]:3000/', 'https://localhost/'],
  ...['https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://127.1/'],
  ...['https://LOCALHOST:3000/', 'https://localhost./', 'https://127.0.0.1./', 'https://①②⑦.0.0.1/'],
  ...['https://ⓛocalhost/', 'https://app.localhost:3000/'],
];

describe('targetFault', () => {
  it.each(PUBLIC)('accepts %s', (url) => {
    expect(targetFault(url, production)).toBeNull();
    expect(targetFault(url, development)).toBeNull();
  });

  it.each([
    ...REFUSED_HOSTS.map(
      ([kind, hosts]) => [`a host that is ${kind}`, hosts.map((host) => `https://${host}/`)] as const,
    ),
    ['what is no URL with https', REFUSED_URLS] as const,
  ])('refuses %s: %j', (_, urls) => {
    for (const url of urls)
      for (const rules of [production, development])
        expect([url, targetFault(url, rules)]).toEqual([url, expect.stringMatching(/^must /)]);
  });

  it.each(LOOPBACK)('accepts %s where loopback is allowed, and nowhere else', (url) => {
    expect(targetFault(url, production)).toMatch(/^must /);
    expect(targetFault(url, development)).toBeNull();
    expect(targetFault(url.replace('https', 'http'), development)).toBeNull();
  });

  it.each(['http://127.0.0.1:22/', 'http://localhost:25/'])(
    'refuses %s even where loopback is allowed',
    (url) => {
      expect(targetFault(url, development)).toContain('port');
    },
  );
});

describe('mayConnect', () => {
  const url = new URL('https://example.com/');

  it('allows loopback only where the rules allow it, and private addresses never', () => {
    const addresses = ['1.1.1.1', '127.0.0.1', '::1', '10.0.0.1'];
    const allowed = (rules: TargetRules) => addresses.filter((address) => mayConnect(url, address, rules));
    expect(allowed(production)).toEqual(['1.1.1.1']);
    expect(allowed(development)).toEqual(['1.1.1.1', '127.0.0.1', '::1']);
  });

  it('refuses text that is not an address', () => {
    expect(addressKind('example.com')).toBe('refused');
    expect(addressKind('')).toBe('refused');
    expect(addressKind('fe80::1%eth0')).toBe('refused');
  });
});

describe('targets that the operator allows', () => {
  const list =
    '10.20.0.0/16, http://10.30.0.5:8080, [fd12:3456::/48]:9443, hooks.internal, http://Old.internal';
  const rules = allowing(list);

  it.each([
    ...['https://10.20.1.1/', 'https://10.20.255.255:8443/', 'https://[fd12:3456::1]:9443/'],
    ...['http://10.30.0.5:8080/', 'https://10.30.0.5:8080/', 'http://old.internal/', 'https://old.internal/'],
    ...[
      'https://hooks.internal/',
      'https://HOOKS.internal:8443/',
      'https://example.com/',
      'https://8.8.8.8/',
    ],
  ])('include %s', (text) => {
    expect(targetFault(text, rules)).toBeNull();
  });

  it.each([
    ...['https://10.21.0.1/', 'https://10.20.1.1:22/', 'http://10.20.1.1/', 'https://user@10.20.1.1/'],
    ...['http://10.30.0.5/', 'https://10.30.0.5/', 'http://10.30.0.6:8080/', 'http://old.internal:22/'],
    ...['https://[fd12:3456::1]/', 'https://[fd12:3457::1]:9443/', 'https://[::ffff:10.20.1.1]/'],
    ...['http://hooks.internal/', 'https://hooks.internal:9443.evil.example/', 'http://example.com/'],
    ...['https://[64:ff9b::10.20.1.1]/', 'https://169.254.169.254/', 'https://127.0.0.1/'],
  ])('do not include %s', (text) => {
    expect(targetFault(text, rules)).toMatch(/^must /);
  });

  it.each<[address: string, url: string, isAllowed: boolean]>([
    ['10.20.7.7', 'https://any.example/', true],
    ['10.21.7.7', 'https://any.example/', false],
    ['10.30.0.5', 'http://any.example:8080/', true],
    ['10.30.0.5', 'https://any.example/', false],
    ['8.8.8.8', 'http://any.example:8080/', false],
    ['192.168.9.9', 'https://hooks.internal/', true],
    ['192.168.9.9', 'https://other.internal/', false],
    ['8.8.8.8', 'http://old.internal/', true],
    ['169.254.169.254', 'https://hooks.internal/', false],
    ['fd00:ec2::254', 'https://hooks.internal/', false],
    ['100.100.100.200', 'https://hooks.internal/', false],
    ['127.0.0.1', 'https://hooks.internal/', false],
    ['::ffff:10.20.7.7', 'https://any.example/', false],
    ['64:ff9b::a14:707', 'https://any.example/', false],
  ])('and a name that resolves to %s for %s: %s', (address, text, isAllowed) => {
    expect(mayConnect(new URL(text), address, rules)).toBe(isAllowed);
  });

  it('go there without the egress proxy', () => {
    const own = ['https://10.20.1.1/', 'https://hooks.internal/', 'http://old.internal/'];
    const direct = [...own, 'https://localhost/'];
    const others = ['https://example.com/', 'https://8.8.8.8/', 'https://other.internal/'];
    expect([...direct, ...others].filter((text) => isListed(new URL(text), rules))).toEqual(direct);
  });

  it.each([
    ...[
      'localhost:x',
      '10.0.0.0/33',
      '10.0.0',
      'http://',
      'https://10.0.0.1',
      'a b',
      '*.internal',
      'fd12::/48',
    ],
    ...['10.0.0.1:0', '10.0.0.1:65536', '127.0.0.0/8', '0.0.0.0/0', '169.254.0.0/16', '[::ffff:10.0.0.1]'],
    '[fd00:ec2::254]',
  ])('cannot be %s', (text) => {
    expect(() => readAllowedTargets(`10.0.0.1, ${text}`)).toThrow(JSON.stringify(text));
  });
});
