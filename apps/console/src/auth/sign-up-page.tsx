import { Anchor } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Entrance } from './entrance.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage() {
  const { back } = route.useSearch();
  const enter = useEnter(back);
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
      <SignUpForm onSignedUp={enter} />
    </Entrance>
  );
}
