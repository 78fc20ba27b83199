import { describe, expect, it } from '@jest/globals';
import { clientNetwork, clientNetworks } from './client-network.ts';

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::203.0.113.7', '2001:db8:1:2::/64'],
    [null, 'unknown'],
  ])('maps %s to %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('is followed by the /48 of an IPv6 client', () => {
    expect(clientNetworks('2001:db8:1:2::3')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48']);
    expect(clientNetworks('::ffff:203.0.113.7')).toEqual(['203.0.113.7']);
  });
});
