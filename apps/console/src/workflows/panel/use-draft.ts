import { useState } from 'react';
import type { Drafts } from '../../ui/unsaved.ts';

/** One of the drafts, as a field shows it; null is none, and what says the same as `saved` is none to lose. */
export function useDraft(drafts: Drafts<string>, id: string, saved = '') {
  const [draft, setDraft] = useState(() => drafts.get(id) ?? null);
  function set(text: string | null): void {
    setDraft(text);
    if (text === null || text === saved) drafts.delete(id);
    else drafts.set(id, text);
  }
  return [draft, set] as const;
}
