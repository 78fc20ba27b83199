import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { sessionTexts as t } from '../texts/session.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { hasPasskeys, signInWithPasskey } from './passkeys.ts';
import { type SignedIn, signInMethodsQuery } from './session-query.ts';

/** Sign-in with a passkey, where the installation and the browser have them. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const { data: methods } = useQuery(signInMethodsQuery);
  const signIn = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  if (!methods?.passkeys || !hasPasskeys()) return null;
  return (
    <Stack gap="sm" mt="sm">
      <Button
        variant="default"
        leftSection={<KeyRound size={16} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t.passkey.signIn}
      </Button>
      {signIn.isError && <ProblemAlert error={signIn.error} titles={{ UNAUTHORIZED: t.signInFailed }} />}
    </Stack>
  );
}
