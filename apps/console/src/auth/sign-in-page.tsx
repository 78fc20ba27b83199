import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { SignInForm } from '../session/sign-in-form.tsx';
import { Entrance } from './entrance.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { back, sso_error } = route.useSearch();
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
      <SingleSignOn back={back} error={sso_error} />
      <SignInForm onSignedIn={enter} />
    </Entrance>
  );
}
