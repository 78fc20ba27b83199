import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { forgetTab } from '../api/forget-tab.ts';
import { type SignedIn, sessionQuery } from '../session/session-query.ts';
import { pendingInvitation } from './pending-invitation.ts';

/** Continues after sign-in or sign-up: to the console, or to the pending invitation. */
export function useEnter(back: string | undefined): (signedIn: SignedIn) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (signedIn) => {
    const invitation = pendingInvitation();
    queryClient.clear();
    forgetTab();
    queryClient.setQueryData(sessionQuery.queryKey, signedIn);
    router.history.push(invitation ? `/join#${invitation}` : (back ?? '/'));
  };
}
