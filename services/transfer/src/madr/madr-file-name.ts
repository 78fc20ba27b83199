const SLUG_CHARACTERS = 60;

/**
 * `0007-use-postgresql.md`: the number keeps two of one title apart; letters and digits of any script stay.
 */
export function madrFileName(number: number, title: string): string {
  const words =
    title
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = [...words.join('-')].slice(0, SLUG_CHARACTERS).join('').replace(/-$/, '');
  return `${String(number).padStart(4, '0')}-${slug || 'decision'}.md`;
}
