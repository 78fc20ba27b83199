import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SignInForm } from '../session/sign-in-form.tsx';
import { Entrance } from './entrance.tsx';

import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { back } = route.useSearch();
  const enter = useEnter(back);
  const below = (
    <>
      New here?{' '}
      <Anchor
        underline="always"
        renderRoot={(props) => <Link to="/sign-up" search={back === undefined ? {} : { back }} {...props} />}
      >
        Create an account
      </Anchor>
    </>
  );
  return (
    <Entrance title="Sign in" below={below}>
      <SignInForm onSignedIn={enter} />
    </Entrance>
  );
}
