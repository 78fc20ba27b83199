import { describe, expect, it } from '@jest/globals';
import { addressList, clientAddresses, isListed } from './client-address.ts';

describe('the client’s address', () => {
  const behind = clientAddresses(['10.0.0.0/8', '127.0.0.1', '2001:db8:ffff::/48']);
  it.each([
    ['the peer without the header', '203.0.113.7', undefined, '203.0.113.7'],
    ['the peer when it is no proxy of ours', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['what our proxy says', '10.1.1.1', '198.51.100.1', '198.51.100.1'],
    ['the last that is not ours', '10.1.1.1', '192.0.2.66, 198.51.100.1, 10.2.2.2', '198.51.100.1'],
    ['the first of ours when all are', '10.1.1.1', '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    ['the nearest good one before nonsense', '10.1.1.1', 'unknown, 10.2.2.2', '10.2.2.2'],
    ['the proxy’s own after nothing but nonsense', '10.1.1.1', 'evil', '10.1.1.1'],
    ['free of a port', '10.1.1.1', '198.51.100.1:4711', '198.51.100.1'],
    ['free of brackets', '::ffff:10.1.1.1', '[2001:db8::7]:443', '2001:db8::7'],
    ['free of a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['IPv4 where it is mapped to IPv6', '::FFFF:192.0.2.1', undefined, '192.0.2.1'],
    ['an IPv4 address as such', '2001:db8:ffff::1', '::ffff:198.51.100.1', '198.51.100.1'],
  ])('is %s', (_, peer, forwardedFor, expected) => {
    expect(behind(peer, forwardedFor)).toBe(expected);
  });

  it('is always the peer’s without trusted proxies', () => {
    expect(clientAddresses([])('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  });
});

describe('an address list', () => {
  it('accepts single addresses and blocks of both families', () => {
    const list = addressList(['192.0.2.1', '198.51.100.0/24', '2001:db8::/32', '::1']);
    for (const inside of ['192.0.2.1', '198.51.100.255', '2001:db8:1::1', '::1']) {
      expect(isListed(list, inside)).toBe(true);
    }
    for (const outside of ['192.0.2.2', '198.51.101.0', '2001:db9::1', '::2', '', 'nonsense']) {
      expect(isListed(list, outside)).toBe(false);
    }
  });
});
