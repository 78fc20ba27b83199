import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { signInMethodsQuery } from '../session/session-query.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Entrance } from './entrance.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage() {
  const { back } = route.useSearch();
  const enter = useEnter(back);
  const methods = useQuery(signInMethodsQuery);
  const below = (
    <>
      Already have an account?{' '}
      <Anchor
        underline="always"
        renderRoot={(props) => <Link to="/sign-in" search={back === undefined ? {} : { back }} {...props} />}
      >
        Sign in
      </Anchor>
    </>
  );
  return (
    <Entrance title="Create your account" below={below}>
      {methods.isPending && <Loading />}
      {methods.isError && <ProblemAlert error={methods.error} retry={() => void methods.refetch()} />}
      {methods.data?.sign_up === 'open' && <SignUpForm onSignedUp={enter} />}
      {methods.data?.sign_up === 'invite' && (
        <Text>
          Sign-up needs an invitation. Ask a user of this installation; the invitation is a link that opens
          here.
        </Text>
      )}
      {methods.data?.sign_up === 'closed' && (
        <Text>Sign-up is closed. Ask the operator of this installation for an account.</Text>
      )}
    </Entrance>
  );
}
