import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { draftKey, dropDraft, keepDraft, readDraft } from '../session/drafts/drafts.ts';
import { sessionQuery } from '../session/session-query.ts';
import { useWorkspace } from './use-workspace.ts';

/** The interval at which typing writes a draft; a crash loses the later input. */
const WRITE_MS = { delay: 300, maxWait: 1_000 };

export type KeptDraft<T> = ReturnType<typeof useDraft<T>>;

/**
 * The user's draft with this name in the open workspace. `found` is the one of an earlier visit, which
 * `revive` has read; one that it cannot read is ignored.
 */
export function useDraft<T>(name: string, revive: (content: T) => T) {
  const { data } = useSuspenseQuery(sessionQuery);
  const { id: workspaceId } = useWorkspace();
  const key = draftKey(data.user.id, workspaceId, name);
  const [found, setFound] = useState(() => reviveDraft(key, revive));
  const [state, setState] = useState<'none' | 'kept' | 'failed'>(found ? 'kept' : 'none');
  const [discards, setDiscards] = useState(0);
  const keep = useDebouncedCallback((content: T) => setState(keepDraft(key, content) ? 'kept' : 'failed'), {
    ...WRITE_MS,
    flushOnUnmount: true,
  });
  // The last event of a page that is closed, or put aside by a phone.
  useWindowEvent('visibilitychange', () => keep.flush());
  // Another tab has replaced or deleted the draft: the input of this tab is no longer kept.
  useWindowEvent('storage', (event) => {
    if (event.key === key) setState((known) => (known === 'kept' ? 'failed' : known));
  });

  /** Looks for a draft again, which another tab may have kept or deleted since. */
  function find() {
    const draft = reviveDraft(key, revive);
    setFound(draft);
    return draft;
  }
  /** Deletes the draft, because it is saved or nothing of it is left. */
  function drop(): void {
    keep.cancel();
    dropDraft(key);
    setState('none');
  }
  /** Deletes the draft and the found one; `discards` tells the form to begin again. */
  function discard(): void {
    drop();
    setFound(null);
    setDiscards(discards + 1);
  }
  return { found, find, state, discards, keep: keep as (content: T) => void, drop, discard };
}

function reviveDraft<T>(key: string, revive: (content: T) => T) {
  const draft = readDraft<T>(key);
  try {
    return draft && { ...draft, content: revive(draft.content) };
  } catch {
    return null;
  }
}
