import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { API_KEY_PATTERN, apiKeyPrefix, isApiKey, mintApiKey } from './api-key.ts';

describe('API keys', () => {
  it('have the prefix, 43 base64url characters and a valid checksum', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 28, maxLength: 28 }), (random) => {
        const key = mintApiKey(Buffer.from(random));
        expect(key).toMatch(API_KEY_PATTERN);
        expect(isApiKey(key)).toBe(true);
        expect(apiKeyPrefix(key)).toBe(key.slice(0, 10));
      }),
    );
  });

  it('with any one character changed are detected without a look-up', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 28, maxLength: 28 }),
        fc.nat(42),
        fc.nat(62),
        (random, position, shift) => {
          const key = mintApiKey(Buffer.from(random));
          const at = 4 + position;
          const other = alphabet[(alphabet.indexOf(key[at]!) + 1 + shift) % alphabet.length]!;
          expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
        },
      ),
    );
  });

  it.each([
    '',
    'wmk_',
    'wmk_short',
    `wmk_${'A'.repeat(44)}`,
    `sk_${'A'.repeat(43)}`,
    `wmk_${'é'.repeat(43)}`,
  ])('refuse %j', (text) => {
    expect(isApiKey(text)).toBe(false);
  });
});
