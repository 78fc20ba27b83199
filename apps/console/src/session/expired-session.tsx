import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { onExpiry, reportRenewal } from '../api/expiry.ts';
import { startAnew } from '../api/forget-tab.ts';
import { lazyPart } from '../ui/lazy-page.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { type SignedIn, sessionQuery } from './session-query.ts';

const ExpiredSessionDialog = lazyPart(() => import('./expired-session-dialog.tsx'));

/** Lets the user sign in again on the open page when the session has expired, so that no input is lost. */
export function ExpiredSession() {
  const queryClient = useQueryClient();
  const [expired, setExpired] = useState<SignedIn | null>(null);
  /** From the first refusal until the session is known to be valid. */
  const isInDoubt = useRef(false);
  useEffect(
    () =>
      onExpiry(async () => {
        // If nobody was signed in before, the route redirects to the sign-in page.
        const known = queryClient.getQueryData(sessionQuery.queryKey);
        if (!known || isInDoubt.current) return;
        isInDoubt.current = true;
        if (await isStillSignedIn()) isInDoubt.current = false;
        else setExpired(known);
      }),
    [queryClient],
  );

  function close() {
    isInDoubt.current = false;
    setExpired(null);
  }

  function goOn(signedIn: SignedIn) {
    if (signedIn.user.id !== expired?.user.id) return startAnew();
    close();
    queryClient.setQueryData(sessionQuery.queryKey, signedIn);
    void queryClient.invalidateQueries();
    reportRenewal();
  }

  if (!expired) return null;
  return (
    <LazyPart onClose={close}>
      <ExpiredSessionDialog expired={expired} onSignedIn={goOn} />
    </LazyPart>
  );
}

/** A refused request may have left before the user signed in again, here or in another tab. */
const isStillSignedIn = () =>
  api.get('/auth/me').then(
    () => true,
    () => false,
  );
