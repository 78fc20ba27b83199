import type { UseQueryResult } from '@tanstack/react-query';
import { Loading } from './loading.tsx';
import { ProblemAlert } from './problem-alert.tsx';

/** Says that a query is loading, or why it failed. */
export function QueryState(props: {
  query: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch'>;
}) {
  const { isPending, isError, error, refetch } = props.query;
  if (isError) return <ProblemAlert error={error} retry={() => void refetch()} />;
  return isPending && <Loading />;
}
