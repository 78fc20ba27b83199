import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../api/client.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import type { SignedIn } from './session-query.ts';
import { SignInForm } from './sign-in-form.tsx';

export default function ExpiredSessionDialog(props: {
  expired: SignedIn;
  onSignedIn: (signedIn: SignedIn) => void;
}) {
  const { expired, onSignedIn } = props;
  return (
    <Dialog
      title="Your session has expired"
      onClose={() => window.location.assign('/sign-in')}
      leave="Leave this page"
    >
      <Text size="sm" mb="md">
        Sign in again to continue. Your input is still here.
      </Text>
      {expired.has_password ? (
        <SignInForm email={expired.user.email} onSignedIn={onSignedIn} />
      ) : (
        <>
          <SignInElsewhere onSignedIn={onSignedIn} />
          <PasskeySignIn onSignedIn={onSignedIn} />
        </>
      )}
    </Dialog>
  );
}

/** Single sign-on leaves the page, so it opens another tab. */
function SignInElsewhere({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => void }) {
  const check = useMutation({ mutationFn: () => unwrap(api.GET('/auth/me')), onSuccess: onSignedIn });
  return (
    <>
      {check.isError && <ProblemAlert error={check.error} />}
      <Group mt="md">
        <Button component="a" href="/v1/auth/oidc/start" target="_blank">
          Sign in, in another tab
        </Button>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          I have signed in
        </Button>
      </Group>
    </>
  );
}
