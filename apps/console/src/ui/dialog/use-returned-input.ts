import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** The input of dialogs that were closed before a refusal, by the place of the dialog. */
const returned = new Map<string, object>();

/**
 * Keeps what a dialog has sent if it is closed before the response and the request is refused: opened again,
 * it has the input again. Returns a function to call after `mutate`, with the values.
 */
export function useReturnedInput<Values extends object>(
  dialog: string,
  form: { setValues: (values: Values) => void },
  isWorthIt = true,
): (values: Values) => void {
  const mutations = useQueryClient().getMutationCache();
  const sent = useRef<{ values: Values; of: Mutation | undefined } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a dialog that opens, and closes
  useEffect(() => {
    const place = `${location.pathname} ${dialog}`;
    const values = returned.get(place);
    if (values) form.setValues(values as Values);
    returned.delete(place);
    return () => {
      const request = sent.current;
      if (request?.of?.state.status !== 'pending') return;
      const stop = mutations.subscribe((event) => {
        if (event.mutation !== request.of || event.type !== 'updated') return;
        const { status } = event.mutation.state;
        if (status === 'error') returned.set(place, request.values);
        if (status !== 'success') return;
        // The notice of the failure has repeated it.
        if (returned.get(place) === request.values) returned.delete(place);
        stop();
      });
    };
  }, []);

  return (values) => {
    if (isWorthIt) sent.current = { values, of: mutations.getAll().at(-1) };
  };
}
