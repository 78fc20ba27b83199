import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `wmk_` and 43 base64url characters: 28 random bytes, then their CRC32 (big-endian). */
export const API_KEY_PATTERN = /^wmk_[A-Za-z0-9_-]{43}$/;
const PREFIX = 'wmk_';
/** Access tokens of programs that a person has signed in to have the form of a key with this prefix. */
export const ACCESS_TOKEN_PREFIX = 'wmo_';
const RANDOM_BYTES = 28;
const VISIBLE_CHARACTERS = 6;

/** A new API key in plaintext; it is shown once and never stored. */
export function mintApiKey(random: Buffer = randomBytes(RANDOM_BYTES)): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(random));
  return PREFIX + Buffer.concat([random, checksum]).toString('base64url');
}

/** A new access token in plaintext, which is never stored. */
export const mintAccessToken = (): string => mintApiKey().replace(PREFIX, ACCESS_TOKEN_PREFIX);

export const isAccessToken = (text: string): boolean =>
  text.startsWith(ACCESS_TOKEN_PREFIX) && isApiKey(PREFIX + text.slice(PREFIX.length));

/** Whether `text` has the form and checksum of a key; a mistyped key is detected without a database query. */
export function isApiKey(text: string): boolean {
  if (!API_KEY_PATTERN.test(text)) return false;
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  // The last character has two unused bits; only the canonical spelling is a key.
  if (bytes.toString('base64url') !== text.slice(PREFIX.length)) return false;
  return crc32(bytes.subarray(0, RANDOM_BYTES)) === bytes.readUInt32BE(RANDOM_BYTES);
}

/** The stored form of a key or other high-entropy secret: SHA-256, hex. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** The visible part of a key: `wmk_` and its first 6 characters. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX.length + VISIBLE_CHARACTERS);
}
