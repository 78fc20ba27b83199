import { useEffect, useState } from 'react';
import { uiTexts as t } from '../texts/ui.ts';
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
  return askToDiscard(t.unsaved.leave, t.unsaved.leaveHint);
}

/** Asks before discarding a draft. */
export const mayDiscardDraft = () => askToDiscard(t.unsaved.discard, t.unsaved.discardHint);

function askToDiscard(title: string, consequence: string): Promise<boolean> {
  return new Promise((answer) => {
    confirmDestruction({
      title,
      consequence,
      act: t.unsaved.act,
      stay: t.unsaved.stay,
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
