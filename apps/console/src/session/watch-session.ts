import type { QueryClient } from '@tanstack/react-query';
import { startAnew } from '../api/forget-tab.ts';
import { keepDraftsOf } from './drafts/drafts.ts';
import { type SignedIn, sessionQuery } from './session-query.ts';

/**
 * All tabs share one session. Announces this tab's user to the others, and reloads if another tab announces
 * a different user and the server confirms it. Otherwise the page would show one user's data and send
 * requests as another. The drafts of the previous user are deleted, as when they sign out.
 */
export function watchSession(queryClient: QueryClient): void {
  const channel = new BroadcastChannel('waymark.session');
  let known: string | undefined;
  queryClient.getQueryCache().subscribe((event) => {
    if (event.query.queryKey[0] !== sessionQuery.queryKey[0]) return;
    if (event.type === 'removed') known = undefined;
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { user } = event.query.state.data as SignedIn;
    keepDraftsOf(user.id);
    if (known === undefined) channel.postMessage(user.id);
    else if (user.id !== known) return startAnew();
    known = user.id;
  });
  channel.onmessage = ({ data }) => {
    if (known === undefined || data === known) return;
    queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
  };
}
