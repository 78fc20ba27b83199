import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { onExpiry } from '../api/expiry.ts';
import { queryKeys } from '../api/query-keys.ts';
import { type SignedIn, sessionQuery } from './session-query.ts';
import { SignInForm } from './sign-in-form.tsx';

/** When a session ends under an open page: signing in again right there, so that nothing that was typed is lost. */
export function ExpiredSession() {
  const queryClient = useQueryClient();
  const [expired, setExpired] = useState<SignedIn | null>(null);
  useEffect(
    () =>
      onExpiry(() => {
        // Nobody was signed in before: the route leads to the sign-in page.
        const known = queryClient.getQueryData(sessionQuery.queryKey);
        if (known) setExpired(known);
      }),
    [queryClient],
  );

  function goOn(signedIn: SignedIn) {
    if (signedIn.user.id !== expired?.user.id) {
      // Another user's page must keep nothing of this one's.
      window.location.assign('/');
      return;
    }
    setExpired(null);
    queryClient.setQueryData(queryKeys.session, signedIn);
    void queryClient.invalidateQueries();
  }

  if (!expired) return null;
  return (
    <Modal
      opened
      onClose={() => window.location.assign('/sign-in')}
      title="Your session has ended"
      closeButtonProps={{ 'aria-label': 'Leave this page' }}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="md">
        Sign in again to go on where you are. What you typed is still here.
      </Text>
      <SignInForm email={expired.user.email} onSignedIn={goOn} />
    </Modal>
  );
}
