import { posix } from 'node:path';

const SLUG_CHARACTERS = 60;

/** Returns a name like `0007-use-postgresql.md`. Letters and digits of any script are kept. */
export function madrFileName(number: number, title: string): string {
  const normalized = title.normalize('NFC').toLowerCase();
  const words = normalized.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = [...words.join('-')].slice(0, SLUG_CHARACTERS).join('').replace(/-$/, '');
  return `${String(number).padStart(4, '0')}-${slug || 'decision'}.md`;
}

/** Whether a path is that of a record: no hidden file, template or table of contents. */
export function isMadrFile(path: string): boolean {
  if (!/\.(?:md|markdown)$/i.test(path) || /(?:^|\/)(?:\.|__MACOSX\/)/.test(path)) return false;
  return !/^(?:readme|index|.*template)\.[a-z]+$/i.test(posix.basename(path));
}
