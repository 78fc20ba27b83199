/**
 * Derives the same UUID each time from a text. It need not be secret, so MurmurHash3's mixing is enough:
 * browsers offer SHA-256 only with TLS.
 */
export function derivedId(text: string): string {
  const hashes = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0xdeadbeef].map((seed) => hash(text, seed));
  const hex = hashes.map((part) => part.toString(16).padStart(8, '0')).join('');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function hash(text: string, seed: number): number {
  let h = seed;
  for (let at = 0; at < text.length; at += 1) {
    let k = Math.imul(text.charCodeAt(at), 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    h ^= k;
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  h ^= text.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
