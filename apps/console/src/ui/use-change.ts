import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from './notify.tsx';

/** A mutation with the queries that it changes and the message that says so. */
export function useChange<Data, Variables = void>(options: {
  mutationFn: (variables: Variables) => Promise<Data>;
  /** The beginnings of their keys. They are read again, also after a failure; until then it is pending. */
  changes: QueryKey[];
  done?: string | ((data: Data, variables: Variables) => string);
  onSuccess?: (data: Data) => unknown;
}) {
  const { mutationFn, changes, done, onSuccess } = options;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (data, variables) => {
      if (done !== undefined) notifyDone(typeof done === 'string' ? done : done(data, variables));
      return onSuccess?.(data);
    },
    onSettled: () => Promise.all(changes.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
}
