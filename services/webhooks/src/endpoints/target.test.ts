import { describe, expect, it } from '@jest/globals';
import { addressKind } from './address.ts';
import { isAllowedAddress, targetFault } from './target.ts';

const production = { allowLoopback: false, ports: [443, 8443] };
const development = { allowLoopback: true, ports: [443, 8443] };

const PUBLIC = [
  'https://example.com',
  'https://example.com:8443/hooks?x=1',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
  'https://xn--bcher-kva.example/',
  'https://example.com./',
  'https://localhost.example.com/',
];

const REFUSED: [string, string][] = [
  ['private', 'https://10.0.0.1/'],
  ['private', 'https://172.16.5.4/'],
  ['private', 'https://192.168.1.1/'],
  ['link-local, metadata', 'https://169.254.169.254/latest/meta-data'],
  ['metadata, CGNAT', 'https://100.100.100.200/'],
  ['metadata in a public range', 'https://168.63.129.16/'],
  ['metadata, IPv6', 'https://[fd00:ec2::254]/'],
  ['this network', 'https://0.0.0.0/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['multicast', 'https://224.0.0.1/'],
  ['reserved', 'https://240.0.0.1/'],
  ['protocol assignments', 'https://192.0.0.192/'],
  ['benchmarks', 'https://198.19.255.1/'],
  ['AS112', 'https://192.31.196.1/'],
  ['AS112', 'https://192.175.48.1/'],
  ['AMT', 'https://192.52.193.1/'],
  ['6to4 relay', 'https://192.88.99.1/'],
  ['documentation', 'https://203.0.113.5/'],
  ['unspecified, IPv6', 'https://[::]/'],
  ['link-local, IPv6', 'https://[fe80::1]/'],
  ['unique local', 'https://[fc00::1]/'],
  ['site-local', 'https://[fec0::1]/'],
  ['multicast, IPv6', 'https://[ff02::1]/'],
  ['mapped', 'https://[::ffff:10.0.0.1]/'],
  ['mapped loopback', 'https://[::ffff:127.0.0.1]/'],
  ['mapped public', 'https://[::ffff:8.8.8.8]/'],
  ['compatible', 'https://[::10.0.0.1]/'],
  ['translated', 'https://[::ffff:0:10.0.0.1]/'],
  ['NAT64', 'https://[64:ff9b::10.0.0.1]/'],
  ['local NAT64', 'https://[64:ff9b:1::10.0.0.1]/'],
  ['6to4', 'https://[2002:0a00:0001::1]/'],
  ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['documentation, IPv6', 'https://[2001:db8::1]/'],
  ['documentation, IPv6', 'https://[3fff::1]/'],
  ['discard', 'https://[100::1]/'],
  ['decimal', 'https://167772161/'],
  ['hexadecimal', 'https://0x0a000001/'],
  ['octal', 'https://012.0.0.1/'],
  ['short', 'https://10.1/'],
  ['full-width digits', 'https://１０.0.0.1/'],
  ['octal, hexadecimal, decimal', 'https://0300.0xa8.257/'],
  ['ideographic full stops', 'https://10。0。0。1/'],
  ['circled digits', 'https://①⓪.0.0.1/'],
  ['percent-encoded', 'https://%31%30.0.0.1/'],
  ['trailing dot', 'https://10.0.0.1./'],
  ['trailing dot, metadata', 'https://169.254.169.254./'],
  ['zero', 'https://0/'],
  ['zone id', 'https://[fe80::1%25eth0]/'],
  ['zone id', 'https://[fe80::1%eth0]/'],
  ['zone id, public', 'https://[2606:4700:4700::1111%25lo]/'],
  ['backslash', 'https://10.0.0.1\\\\@example.com/'],
  ['tab and newline', 'https://10.0.\t0.\n1/'],
  ['userinfo', 'https://user:secret@example.com/'],
  ['userinfo', 'https://example.com@10.0.0.1/'],
  ['userinfo', 'https://user@example.com/'],
  ['odd port', 'https://example.com:22/'],
  ['odd port', 'https://example.com:6379/'],
  ['odd port', 'https://example.com:8080/'],
  ['http', 'http://example.com/'],
  ['scheme', 'ftp://example.com/'],
  ['scheme', 'file:///etc/passwd'],
  ['scheme', 'gopher://example.com/'],
  ['scheme', 'javascript:alert(1)'],
  ['no URL', 'example.com'],
  ['no URL', 'https://'],
  ['no URL', 'https://[::1'],
];

const LOOPBACK = [
  'https://127.0.0.1/',
  'https://127.8.9.10:3000/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://[::1]:3000/',
  'https://localhost/',
  'https://LOCALHOST:3000/',
  'https://localhost./',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://①②⑦.0.0.1/',
  'https://ⓛocalhost/',
  'https://app.localhost:3000/',
];

describe('targetFault', () => {
  it.each(PUBLIC)('accepts %s', (url) => {
    expect(targetFault(url, production)).toBeNull();
    expect(targetFault(url, development)).toBeNull();
  });

  it.each(REFUSED)('refuses %s: %s', (_, url) => {
    expect(targetFault(url, production)).toMatch(/^must /);
    expect(targetFault(url, development)).toMatch(/^must /);
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

describe('isAllowedAddress', () => {
  it('allows loopback only where the rules allow it, and private addresses never', () => {
    expect(['1.1.1.1', '127.0.0.1', '::1', '10.0.0.1'].map((a) => isAllowedAddress(a, production))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(['1.1.1.1', '127.0.0.1', '::1', '10.0.0.1'].map((a) => isAllowedAddress(a, development))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('refuses text that is not an address', () => {
    expect(addressKind('example.com')).toBe('refused');
    expect(addressKind('')).toBe('refused');
    expect(addressKind('fe80::1%eth0')).toBe('refused');
  });
});
