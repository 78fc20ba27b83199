import { type ReactNode, useEffect, useState } from 'react';

/** Going back finds its place only in a page that is whole at once. */
let isFirstPage = true;

export function endFirstPage(): void {
  isFirstPage = false;
}

/**
 * Counts from 0 to `last`, once in each task of the browser: what is rendered bit by bit lets a slow phone
 * paint and answer in between. Only the first page after loading has its scripts to wait for as well; all
 * others are whole at once.
 */
export function useTurns(last: number): number {
  const [turn, setTurn] = useState(isFirstPage ? 0 : Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (turn >= last) return;
    const timer = setTimeout(() => setTurn(turn + 1));
    return () => clearTimeout(timer);
  }, [turn, last]);
  return turn;
}

/** Renders its children after what is around them. */
export function InTurn({ children }: { children: ReactNode }) {
  return useTurns(1) > 0 && children;
}
