import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { useEffect, useLayoutEffect } from 'react';
import { api } from '../api/client.ts';
import { sessionQuery, showUser } from '../session/session-query.ts';

/** Where browsers kept the density before the account did. */
const FORMER_KEY = 'waymark.density';

/** Whether rows are close together, as the account says. console.css has both densities. */
export function useDensity() {
  const { user } = useSuspenseQuery(sessionQuery).data;
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (density: Schemas['User']['density']) => unwrap(api.PATCH('/auth/me', { body: { density } })),
    onSuccess: (changed) => showUser(queryClient, changed),
  });
  const density = change.isPending ? change.variables : user.density;
  const { mutate } = change;
  // Before the rows are painted.
  useLayoutEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
  useEffect(() => {
    const isCompact = localStorage.getItem(FORMER_KEY)?.includes('compact');
    localStorage.removeItem(FORMER_KEY);
    if (isCompact) mutate('compact');
  }, [mutate]);
  const isCompact = density === 'compact';
  return { isCompact, toggle: () => mutate(isCompact ? 'comfortable' : 'compact') };
}
