import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ofTab } from '../../api/forget-tab.ts';
import type { FormState } from '../form.tsx';

interface Sent {
  /** The fields that differ from what the dialog had. The others may be newer when it is opened again. */
  changed: object;
  request: Mutation | undefined;
}

/**
 * Gives a dialog its input back that was closed before its request was refused, when it is opened again.
 * Returns a function to call after `mutate`. Not for passwords and secrets.
 */
export function useReturnedInput<Values extends object>(
  dialog: string,
  form: Pick<FormState<Values>, 'values' | 'isDirty' | 'setValues'>,
): () => void {
  const mutations = useQueryClient().getMutationCache();
  const [key] = useState(() => `input of ${location.pathname} ${dialog}`);
  const sent = useRef<Sent | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a dialog that opens, and closes
  useEffect(() => {
    const before = ofTab.get(key) as Sent | undefined;
    const status = before?.request?.state.status;
    if (status === 'error') form.setValues(before!.changed);
    // A request that is pending may still be refused. The notice of a failure may have repeated it.
    if (status !== 'pending') ofTab.delete(key);
    return () => {
      const end = sent.current?.request?.state.status;
      if (end === 'pending') ofTab.set(key, sent.current);
      if (end === 'success') ofTab.delete(key);
    };
  }, []);

  return () => {
    const changed = Object.entries(form.values).filter(([field]) => form.isDirty(field));
    sent.current = { changed: Object.fromEntries(changed), request: mutations.getAll().at(-1) };
  };
}
