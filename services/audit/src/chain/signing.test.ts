import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { headOf, newSigningKeys, sealEvents } from '../../test/sample-chain.ts';
import { sampleEvents } from '../../test/sample-event.ts';
import { headSignatureFault, readPublicKeys, readSigningKeys, signHead } from './signing.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) =>
  key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' }).toString();
const der = (key: KeyObject) =>
  Buffer.from(key.export({ format: 'der', type: key.type === 'private' ? 'pkcs8' : 'spki' })).toString(
    'base64',
  );

describe('signing keys', () => {
  it.each([
    ['base64 of DER', der(privateKey)],
    ['PEM', pem(privateKey)],
    ['base64 of PEM', Buffer.from(pem(privateKey)).toString('base64')],
  ])('are read from %s', (_, text) => {
    const { keyId } = readSigningKeys(text);
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(keyId).toBe(readSigningKeys(der(privateKey)).keyId);
  });

  it('rotate: the first signs, a retired one still verifies, as a private or a public key', () => {
    const head = headOf(sealEvents(sampleEvents(1)), readSigningKeys(der(privateKey)));
    const newer = der(generateKeyPairSync('ed25519').privateKey);
    for (const retired of [der(privateKey), der(publicKey), pem(publicKey)]) {
      const keys = readSigningKeys(`${newer}, ${retired}`);
      expect(keys.keyId).not.toBe(head.key_id);
      expect(headSignatureFault(head, keys.publicKeys)).toBeNull();
      expect(headSignatureFault(signHead(head, keys), keys.publicKeys)).toBeNull();
    }
  });

  it.each([
    ['nothing', ''],
    ['no key', 'bm90IGEga2V5'],
    ['a public key first', der(publicKey)],
    ['another algorithm', der(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
  ])('are refused: %s', (_, text) => {
    expect(() => readSigningKeys(text)).toThrow();
  });
});

describe('a signed head', () => {
  const keys = newSigningKeys();
  const head = headOf(sealEvents(sampleEvents(1)), keys);

  it('verifies with the public key alone, in base64url', () => {
    const text = keys.publicKeys.get(keys.keyId)!.text;
    expect(headSignatureFault(head, readPublicKeys([text]))).toBeNull();
  });

  it.each([
    ['chain', { chain: 'another' }],
    ['seq', { seq: 2 }],
    ['hash', { hash: 'f'.repeat(64) }],
    [
      'signature',
      { signature: head.signature.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A')) },
    ],
    ['spare bits of the signature', { signature: head.signature.replace(/.$/, nextCharacter) }],
    ['key', { key_id: '0123456789abcdef' }],
  ])('does not verify with another %s', (_, change) => {
    expect(headSignatureFault({ ...head, ...change }, keys.publicKeys)).not.toBeNull();
  });
});

/** The last character of 64 bytes has four unused bits, so the next character decodes to the same bytes. */
function nextCharacter(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 1);
}
