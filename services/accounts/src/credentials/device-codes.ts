import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { hashSecret, mintApiKey } from '@waymark/contracts';
import { derivedSecrets, randomSecret } from './derived-secrets.ts';

/** Consonants only (RFC 8628, 6.1): no words, and no characters that look alike. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const CHARACTERS = 8;
const KEY_BYTES = 28;

/** The codes of a device, and the key that derives from its own code, so that no store needs to keep it. */
export function deviceCodes(privateKeys: readonly KeyObject[]) {
  const secrets = derivedSecrets(privateKeys, 'device login');
  const keyed = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text).digest();
  const keyFor = (secret: Buffer, deviceCode: string) =>
    mintApiKey(keyed(secret, `key\0${deviceCode}`).subarray(0, KEY_BYTES));
  const hashesOf = (code: string) =>
    secrets.map((secret) => keyed(secret, `user\0${code}`).toString('base64url'));

  return {
    create() {
      const code = Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
      const deviceCode = randomSecret();
      return {
        deviceCode,
        userCode: `${code.slice(0, 4)}-${code.slice(4)}`,
        userHash: hashesOf(code)[0]!,
        key: keyFor(secrets[0]!, deviceCode),
      };
    },

    /** The hashes that the code has which a person has typed, for each of the private keys. */
    userHashesOf: (typed: string) => hashesOf(typed.toUpperCase().replaceAll(/[^A-Z]/g, '')),

    /** Returns null when the private key from which it derives is retired. */
    keyOf: (deviceCode: string, keyHash: string) =>
      secrets.map((secret) => keyFor(secret, deviceCode)).find((key) => hashSecret(key) === keyHash) ?? null,
  };
}
