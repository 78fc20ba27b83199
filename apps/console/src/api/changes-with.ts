import type { DefaultError, InfiniteData, Query, QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from './live-events.ts';

type EventType = LiveEvent['type'];
type AllOf<Type extends EventType> = Type extends `${infer Kind}.${string}` ? `${Kind}.*` : never;

/** The declaration beside the key of each query. Without it, the query does not compile. */
export interface Declaration {
  /**
   * The live events that change the data. `every event`: another service derives the data from all events, a
   * moment later. `inbox`: a notification of the user, which has no event.
   */
  changesWith: readonly (EventType | AllOf<EventType> | 'inbox')[] | 'every event';
  /** The id of the only record whose events change the data, or which ids are of such records. */
  about?: string | ((id: string) => boolean);
  /** The data stands beside the list or record that the page is about, and is read after it. */
  isSecondary?: boolean;
}

declare module '@tanstack/react-query' {
  interface UseBaseQueryOptions<
    TQueryFnData = unknown,
    TError = DefaultError,
    TData = TQueryFnData,
    TQueryData = TQueryFnData,
    TQueryKey extends QueryKey = QueryKey,
  > extends Declaration {}
  interface UseInfiniteQueryOptions<
    TQueryFnData = unknown,
    TError = DefaultError,
    TData = InfiniteData<TQueryFnData>,
    TQueryKey extends QueryKey = QueryKey,
    TPageParam = unknown,
  > extends Declaration {}
}

/** The declaration of a query. Data that was only stored, not read, may change with every event. */
export const declarationOf = ({ observers, options }: Query): Declaration => ({
  changesWith: 'every event',
  ...(observers[0]?.options ?? options),
});

/** Whether an event changes the data of a query; null is an event that was missed. */
export function isChangedBy(
  event: Pick<LiveEvent, 'type' | 'subject' | 'decision_id' | 'node_id'> | null,
  { changesWith, about }: Declaration,
): boolean {
  if (changesWith === 'every event') return true;
  if (event === null) return changesWith.length > 0;
  const [kind] = event.type.split('.');
  if (!changesWith.some((one) => one === event.type || one === `${kind}.*`)) return false;
  // The subject of messages that were imported is none of the threads.
  const isOfMany = event.type === 'messages.imported';
  if (about === undefined || isOfMany) return true;
  const isAbout = typeof about === 'string' ? (id: string) => id === about : about;
  return [event.subject.id, event.decision_id, event.node_id].some((id) => id != null && isAbout(id));
}
