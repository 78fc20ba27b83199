/** How many searches in a row an index's changes wait for, which others may be waiting to find. */
const SEARCHES_IN_A_ROW_MAX = 8;

/** The tasks of a thread of indexes, in the order of their turns. */
export interface TaskTurns<T> {
  add(task: T, isSearch: boolean): void;
  next(): T | undefined;
  /** Whether no search waits. */
  isQuiet(): boolean;
}

/** Whoever searches has taken in all that it asks for before, so that it may overtake the others, but not for ever. */
export function taskTurns<T>(): TaskTurns<T> {
  const searches: T[] = [];
  const others: T[] = [];
  let searchesInARow = 0;
  return {
    add(task, isSearch) {
      (isSearch ? searches : others).push(task);
    },
    next() {
      const isOthersTurn = searchesInARow >= SEARCHES_IN_A_ROW_MAX && others.length > 0;
      const isSearch = searches.length > 0 && !isOthersTurn;
      searchesInARow = isSearch ? searchesInARow + 1 : 0;
      return (isSearch ? searches : others).shift();
    },
    isQuiet: () => searches.length === 0,
  };
}
