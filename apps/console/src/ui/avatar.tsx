import type { ReactNode } from 'react';

/**
 * The first letters of a person's first and last name, or a symbol; the name stands beside it. They are no
 * text, which would be read and copied.
 */
export function Avatar({ name, symbol }: { name: string; symbol?: ReactNode }) {
  return (
    <span className="avatar" data-initials={symbol ? undefined : initialsOf(name)} aria-hidden>
      {symbol}
    </span>
  );
}

/** A person by avatar and name, as high as a line. */
export function Person({ name }: { name: string }) {
  return (
    <span className="person" title={name}>
      <Avatar name={name} />
      <span>{name}</span>
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}
