import { describe, expect, it } from '@jest/globals';
import { newRecoveryCode, newTotpSecret, plainCode, stepOf, totpUri } from './totp.ts';

describe('a code of an authenticator app', () => {
  /** "12345678901234567890" of RFC 6238, appendix B, whose codes have eight digits: the last six are ours. */
  const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const VECTORS = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const;

  it.each(VECTORS)('at %i s is that of RFC 6238', (seconds, code) => {
    expect(stepOf(SECRET, code.slice(-6), seconds * 1_000)).toBe(Math.floor(seconds / 30));
    expect(stepOf(SECRET, '123456', seconds * 1_000)).toBeNull();
  });

  it('is taken one step early and late, with its own step, and not two', () => {
    const [seconds, code] = VECTORS[3];
    const step = Math.floor(seconds / 30);
    const found = [-60, -30, 0, 30, 60].map((apart) =>
      stepOf(SECRET, code.slice(-6), (seconds + apart) * 1_000),
    );
    expect(found).toEqual([null, step, step, step, null]);
  });
});

describe('new secrets', () => {
  it('have 160 bits, in an address that apps read', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(secret, 'ada+1@example.com'));
    expect(uri.href).toContain('otpauth://totp/Waymark:ada%2B1%40example.com?');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer: 'Waymark', digits: '6' });
  });

  it('and recovery codes of 120 bits are typed with or without hyphens', () => {
    const code = newRecoveryCode();
    expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    expect(plainCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(code.replaceAll('-', ''));
  });
});
