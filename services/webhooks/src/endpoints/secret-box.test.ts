import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readEncryptionKeys, secretBox } from './secret-box.ts';

const key = () => randomBytes(32).toString('base64');

describe('secretBox', () => {
  it('decrypts what it encrypted, and returns a different encrypted text each time', () => {
    const box = secretBox(readEncryptionKeys(key()));
    const [one, two] = [box.encrypt('w1', 'whsec_a'), box.encrypt('w1', 'whsec_a')];
    expect(box.decrypt('w1', one)).toBe('whsec_a');
    expect(one).not.toBe(two);
    expect(one).not.toContain('whsec');
  });

  it('encrypts with the first key and decrypts with any', () => {
    const [old, fresh] = [key(), key()];
    const before = secretBox(readEncryptionKeys(old)).encrypt('w1', 'whsec_a');
    const rotated = secretBox(readEncryptionKeys(`${fresh}, ${old}`));
    expect(rotated.decrypt('w1', before)).toBe('whsec_a');
    const after = rotated.encrypt('w1', 'whsec_b');
    expect(secretBox(readEncryptionKeys(fresh)).decrypt('w1', after)).toBe('whsec_b');
    expect(() => secretBox(readEncryptionKeys(fresh)).decrypt('w1', before)).toThrow(
      'WEBHOOK_ENCRYPTION_KEYS lacks the key',
    );
  });

  it('does not decrypt for another owner, nor an altered text', () => {
    const box = secretBox(readEncryptionKeys(key()));
    const encrypted = box.encrypt('w1', 'whsec_a');
    expect(() => box.decrypt('w2', encrypted)).toThrow();
    // Not the last character: two of its bits encode nothing.
    const altered = encrypted.replace(/\.(.)/, (_, first) => (first === 'A' ? '.B' : '.A'));
    expect(() => box.decrypt('w1', altered)).toThrow();
    expect(() => box.decrypt('w1', encrypted.slice(0, 20))).toThrow();
  });
});

describe('readEncryptionKeys', () => {
  it.each(['', 'short', `${key()},`, randomBytes(31).toString('base64')])('refuses %j', (text) => {
    expect(() => readEncryptionKeys(text)).toThrow();
  });
});
