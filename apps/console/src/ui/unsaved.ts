import { useEffect, useState } from 'react';
import { confirmDestruction } from './dialog/confirm.tsx';

/** The number of forms with unsaved input. */
let count = 0;

export const countUnsaved = () => count;

/** Counts a form as unsaved while `isUnsaved` is true; leaving the page then asks first. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    count += 1;
    return () => {
      count -= 1;
    };
  }, [isUnsaved]);
}

/** Asks before discarding input, unless only `kept` forms, which remain, have unsaved input. */
export function mayDiscard(kept = 0): Promise<boolean> {
  if (count <= kept) return Promise.resolve(true);
  return askToDiscard('Leave without saving?', 'Your input here is not saved. Leaving discards it.');
}

/** Asks before discarding a draft. */
export const mayDiscardDraft = () =>
  askToDiscard('Discard the draft?', 'Only this browser has what you typed, and it deletes it.');

function askToDiscard(title: string, consequence: string): Promise<boolean> {
  return new Promise((answer) => {
    confirmDestruction({
      title,
      consequence,
      act: 'Discard it',
      stay: 'Continue editing',
      onConfirm: () => answer(true),
      onStay: () => answer(false),
    });
  });
}

export type Drafts<T> = Pick<Map<string, T>, 'get' | 'set' | 'delete'>;

/**
 * Drafts by the id of their record. They outlive the form and count as unsaved until the component
 * unmounts. Also returns whether there are any.
 */
export function useDrafts<T>(): [drafts: Drafts<T>, isUnsaved: boolean] {
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
  return [drafts, isUnsaved];
}
