import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, hasCode, type Schemas } from '../api/client.ts';
import { type SignedIn, sessionQuery, signInMethodsQuery } from '../session/session-query.ts';
import { SignInForm } from '../session/sign-in-form.tsx';
import { authTexts as t } from '../texts/auth.ts';
import { wordsTexts } from '../texts/words.ts';
import { TextLink } from '../ui/links.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { changeWorkspaces } from '../workspace/change-workspaces.ts';
import { Entrance } from './entrance.tsx';
import { forgetInvitation, keepInvitation, pendingInvitation } from './pending-invitation.ts';
import { SignUpForm } from './sign-up-form.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useEnter } from './use-enter.ts';

type Preview = Schemas['InvitationPreview'];

/** The page of an invitation link. The token is in the fragment (#), which browsers do not send. */
export function JoinPage() {
  const [kept] = useState(pendingInvitation);
  const [token] = useState(() => window.location.hash.slice(1) || (kept ?? ''));
  useEffect(forgetInvitation, []);
  const preview = useQuery({
    queryKey: ['invitation', token],
    changesWith: [],
    queryFn: () => api.post('/auth/invitation', { body: { token } }),
    enabled: token !== '',
  });
  const isGone = token === '' || hasCode(preview.error, 'NOT_FOUND');
  // A new user who returns from single sign-on has already joined if the invitation allowed the sign-up.
  if (isGone && kept !== null) return <Navigate to="/" />;
  return (
    <Entrance title={t.join.title} below={<TextLink to="/">{t.toConsole}</TextLink>}>
      {isGone && <Text>{token === '' ? t.join.incomplete : t.join.gone}</Text>}
      {preview.isError && !isGone && (
        <ProblemAlert error={preview.error} retry={() => void preview.refetch()} />
      )}
      {preview.isPending && !isGone && <Loading />}
      {preview.data && <Invitation token={token} preview={preview.data} />}
    </Entrance>
  );
}

function Invitation({ token, preview }: { token: string; preview: Preview }) {
  const session = useQuery({ ...sessionQuery, retry: false });
  const queryClient = useQueryClient();
  if (session.isPending) return <Loading />;
  const stay = (signedIn: SignedIn) => queryClient.setQueryData(sessionQuery.queryKey, signedIn);
  return (
    <Stack>
      <Text>
        {t.join.invited(
          preview.invited_by,
          <strong>{preview.workspace_name}</strong>,
          wordsTexts.role[preview.role],
        )}
      </Text>
      {session.data ? (
        <Acceptance token={token} signedIn={session.data} />
      ) : (
        <Newcomer token={token} email={preview.email ?? ''} onSignedIn={stay} />
      )}
    </Stack>
  );
}

/** For signed-in users: one button. */
function Acceptance({ token, signedIn }: { token: string; signedIn: SignedIn }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const accept = useMutation({
    mutationFn: () => api.post('/invitations/accept', { body: { token } }),
    onSuccess: async (workspace) => {
      changeWorkspaces(queryClient, (known) => [...known.filter(({ id }) => id !== workspace.id), workspace]);
      await router.navigate({ to: '/w/$workspaceId/decisions', params: { workspaceId: workspace.id } });
    },
  });
  return (
    <>
      <Text size="sm">{t.join.signedIn(signedIn.user.email)}</Text>
      <Button loading={accept.isPending} onClick={() => accept.mutate()}>
        {t.join.act}
      </Button>
    </>
  );
}

/** For others: create an account with the invitation, or sign in. */
function Newcomer(props: { token: string; email: string; onSignedIn: (signedIn: SignedIn) => void }) {
  const { token, email, onSignedIn } = props;
  const [hasAccount, setHasAccount] = useState(false);
  const enter = useEnter(undefined);
  const methods = useQuery(signInMethodsQuery);
  const elsewhere = (
    <div>
      <SingleSignOn back="/join" onLeave={() => keepInvitation(token)} />
    </div>
  );
  if (methods.data?.sign_up === 'closed') {
    return (
      <>
        <Text size="sm">{t.join.closed}</Text>
        {elsewhere}
        <SignInForm email={email} onSignedIn={onSignedIn} />
      </>
    );
  }
  return (
    <>
      {elsewhere}
      {hasAccount ? (
        <SignInForm email={email} onSignedIn={onSignedIn} />
      ) : (
        <SignUpForm email={email} invitation={token} onSignedUp={enter} />
      )}
      <Button variant="default" onClick={() => setHasAccount(!hasAccount)}>
        {hasAccount ? t.join.create : t.join.known}
      </Button>
    </>
  );
}
