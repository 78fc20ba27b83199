import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { signInMethodsQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { sessionTexts } from '../texts/session.ts';
import { TextLink } from '../ui/links.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Entrance } from './entrance.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage() {
  const { back } = route.useSearch();
  const enter = useEnter(back);
  const methods = useQuery(signInMethodsQuery);
  const below = t.signUp.known(
    <TextLink underline="always" to="/sign-in" search={back === undefined ? {} : { back }}>
      {sessionTexts.signIn}
    </TextLink>,
  );
  return (
    <Entrance title={t.signUp.title} below={below}>
      <QueryState query={methods} />
      {methods.data?.sign_up === 'open' && <SignUpForm onSignedUp={enter} />}
      {methods.data?.sign_up === 'invite' && <Text>{t.signUp.invite}</Text>}
      {methods.data?.sign_up === 'closed' && <Text>{t.signUp.closed}</Text>}
    </Entrance>
  );
}
