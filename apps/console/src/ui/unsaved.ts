import { useEffect, useState } from 'react';
import { confirmDestruction } from './dialog/confirm.tsx';

/** How many forms hold something typed that is stored nowhere yet. */
let count = 0;

export const countUnsaved = () => count;

/** Counts a form among those to ask about before the page is left, for as long as it is unsaved. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    count += 1;
    return () => {
      count -= 1;
    };
  }, [isUnsaved]);
}

/** Asks whether what was typed may go, if there is more of it than `kept` forms hold, which stay. */
export function mayDiscard(kept = 0): Promise<boolean> {
  if (count <= kept) return Promise.resolve(true);
  return new Promise((answer) => {
    confirmDestruction({
      title: 'Leave without saving?',
      consequence: 'What you typed here is not saved yet, and would be lost.',
      act: 'Discard it',
      stay: 'Go on writing',
      onConfirm: () => answer(true),
      onStay: () => answer(false),
    });
  });
}

export type Drafts<T> = Pick<Map<string, T>, 'get' | 'set' | 'delete'>;

/** What is typed, by the id of what it is about: it outlives the form, and counts as unsaved until the component goes. */
export function useDrafts<T>(): Drafts<T> {
  const [isUnsaved, setUnsaved] = useState(false);
  useUnsaved(isUnsaved);
  const [drafts] = useState(() => {
    const known = new Map<string, T>();
    return {
      get: (id: string) => known.get(id),
      set(id: string, draft: T) {
        setUnsaved(true);
        return known.set(id, draft);
      },
      delete(id: string) {
        const was = known.delete(id);
        setUnsaved(known.size > 0);
        return was;
      },
    };
  });
  return drafts;
}
