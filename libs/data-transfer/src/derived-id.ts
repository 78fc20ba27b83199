import { createHash } from 'node:crypto';

/** Derives the same UUIDv7 each time from a scope and a name. It sorts like `like`, if that is a UUIDv7. */
export function derivedId(scope: string, name: string, like?: string): string {
  const hash = createHash('sha256').update(`${scope}\0${name}`).digest('hex');
  const isOrdered = like !== undefined && like[14] === '7';
  const time = isOrdered ? like.slice(0, 8) + like.slice(9, 13) : hash.slice(32, 44);
  const variant = ((Number.parseInt(hash[3]!, 16) & 0x3) | 0x8).toString(16) + hash.slice(4, 7);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${hash.slice(0, 3)}-${variant}-${hash.slice(8, 20)}`;
}
