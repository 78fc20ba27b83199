import { Mark } from '@mantine/core';
import { Fragment } from 'react';

/** A range of a text in UTF-16 code units, the end exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** A text with marked matches. `offset` is its start within the text that the ranges refer to. */
export function Highlighted(props: { text: string; ranges: Range[]; offset?: number }) {
  const { text, ranges, offset = 0 } = props;
  return partsOf(text, ranges, offset).map(({ at, part, isFound }) =>
    isFound ? <Mark key={at}>{part}</Mark> : <Fragment key={at}>{part}</Fragment>,
  );
}

function partsOf(text: string, ranges: Range[], offset: number) {
  const parts: { at: number; part: string; isFound: boolean }[] = [];
  let at = 0;
  const take = (end: number, isFound: boolean) => {
    if (end > at) parts.push({ at, part: text.slice(at, end), isFound });
    at = Math.max(at, end);
  };
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    take(Math.min(start - offset, text.length), false);
    take(Math.min(end - offset, text.length), true);
  }
  take(text.length, false);
  return parts;
}
