import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { forgetTab } from '../session/forget-tab.ts';
import { type SignedIn, sessionQuery } from '../session/session-query.ts';

/** Goes on into the console as somebody who has just signed in or up. */
export function useEnter(back: string | undefined): (signedIn: SignedIn) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (signedIn) => {
    queryClient.clear();
    forgetTab();
    queryClient.setQueryData(sessionQuery.queryKey, signedIn);
    router.history.push(back ?? '/');
  };
}
