import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemAlert } from './problem-alert.tsx';

/** Says that a query is loading, or why it failed. `children` shows its data. */
export function QueryState<Data>(props: {
  query: Pick<UseQueryResult<Data>, 'isPending' | 'isError' | 'error' | 'refetch'> & {
    data?: Data | undefined;
  };
  children?: (data: Data) => ReactNode;
}) {
  const { isPending, isError, error, refetch, data } = props.query;
  return (
    <>
      {isError && <ProblemAlert error={error} retry={() => void refetch()} />}
      {isPending && <Loading />}
      {data !== undefined && props.children?.(data)}
    </>
  );
}
