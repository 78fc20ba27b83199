import { useQueryClient } from '@tanstack/react-query';
import { lazy, useEffect, useState } from 'react';
import { onExpiry, reportRenewal } from '../api/expiry.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { startAnew } from './forget-tab.ts';
import { type SignedIn, sessionQuery } from './session-query.ts';

const ExpiredSessionDialog = lazy(() => import('./expired-session-dialog.tsx'));

/** Lets the user sign in again on the open page when the session has expired, so that no input is lost. */
export function ExpiredSession() {
  const queryClient = useQueryClient();
  const [expired, setExpired] = useState<SignedIn | null>(null);
  useEffect(
    () =>
      onExpiry(() => {
        // If nobody was signed in before, the route redirects to the sign-in page.
        const known = queryClient.getQueryData(sessionQuery.queryKey);
        if (known) setExpired(known);
      }),
    [queryClient],
  );

  function goOn(signedIn: SignedIn) {
    if (signedIn.user.id !== expired?.user.id) return startAnew();
    setExpired(null);
    queryClient.setQueryData(sessionQuery.queryKey, signedIn);
    void queryClient.invalidateQueries();
    reportRenewal();
  }

  if (!expired) return null;
  return (
    <LazyPart onClose={() => setExpired(null)}>
      <ExpiredSessionDialog expired={expired} onSignedIn={goOn} />
    </LazyPart>
  );
}
