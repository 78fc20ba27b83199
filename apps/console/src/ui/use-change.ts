import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from './notify.tsx';

/** A mutation with the queries that it changes and the message that says so. */
export function useChange<Data, Variables = void>(options: {
  mutationFn: (variables: Variables) => Promise<Data>;
  /** The beginnings of their keys. They are read again, also after a failure. */
  changes: QueryKey[];
  /**
   * Whether the page goes on before they are read, such as with a secret that it shows. A FormDialog needs
   * this and `done`: it closes with the response, and may be closed before.
   */
  isAtOnce?: boolean;
  /** Says that it succeeded. */
  done?: string | ((data: Data, variables: Variables) => string);
  onSuccess?: (data: Data) => unknown;
}) {
  const { mutationFn, changes, isAtOnce = false, done, onSuccess } = options;
  const queryClient = useQueryClient();
  return useMutation({
    ...(changes[0] && { mutationKey: changes[0] }),
    mutationFn,
    onSuccess: (data, variables) => {
      if (done !== undefined) notifyDone(typeof done === 'string' ? done : done(data, variables));
      return onSuccess?.(data);
    },
    // Otherwise it is pending until the page shows the change. A failure is shown at once.
    onSettled: (_, error) => {
      const read = changes.map((queryKey) => queryClient.invalidateQueries({ queryKey }));
      return error === null && !isAtOnce ? Promise.all(read) : undefined;
    },
  });
}
