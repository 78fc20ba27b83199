import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { sessionTexts as t } from '../texts/session.ts';
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
      title={t.expired.title}
      onClose={() => window.location.assign('/sign-in')}
      leave={t.expired.leave}
    >
      <Text size="sm" mb="md">
        {t.expired.hint}
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
  const check = useMutation({ mutationFn: () => api.get('/auth/me'), onSuccess: onSignedIn });
  return (
    <>
      {check.isError && <ProblemAlert error={check.error} />}
      <Group mt="md">
        <Button component="a" href="/v1/auth/oidc/start" target="_blank">
          {t.expired.otherTab}
        </Button>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {t.expired.done}
        </Button>
      </Group>
    </>
  );
}
