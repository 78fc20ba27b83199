import { useState } from 'react';
import type { Drafts } from '../ui/unsaved.ts';

/** One draft for a field; null means none. A draft equal to `saved` does not count as unsaved. */
export function useDraft(drafts: Drafts<string>, id: string, saved = '') {
  const [draft, setDraft] = useState(() => drafts.get(id) ?? null);
  function set(text: string | null): void {
    setDraft(text);
    if (text === null || text === saved) drafts.delete(id);
    else drafts.set(id, text);
  }
  return [draft, set] as const;
}
