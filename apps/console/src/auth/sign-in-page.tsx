import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { signInMethodsQuery } from '../session/session-query.ts';
import { SignInForm } from '../session/sign-in-form.tsx';
import { authTexts as t } from '../texts/auth.ts';
import { sessionTexts } from '../texts/session.ts';
import { TextLink } from '../ui/links.tsx';
import { Entrance } from './entrance.tsx';
import { SingleSignOn } from './single-sign-on.tsx';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { back, sso_error } = route.useSearch();
  const enter = useEnter(back);
  const { data: methods } = useQuery(signInMethodsQuery);
  return (
    <Entrance
      title={sessionTexts.signIn}
      below={methods && <Newcomers signUp={methods.sign_up} back={back} />}
    >
      <SingleSignOn back={back} error={sso_error} />
      <SignInForm onSignedIn={enter} />
      <Text size="sm" mt="md">
        <TextLink underline="always" to="/forgot-password">
          {t.signIn.forgot}
        </TextLink>
      </Text>
    </Entrance>
  );
}

/** Options for users without an account. */
function Newcomers(props: { signUp: 'open' | 'invite' | 'closed'; back: string | undefined }) {
  const { signUp, back } = props;
  if (signUp === 'invite') return t.signIn.invite;
  if (signUp === 'closed') return t.signIn.closed;
  return t.signIn.newHere(
    <TextLink underline="always" to="/sign-up" search={back === undefined ? {} : { back }}>
      {t.signIn.create}
    </TextLink>,
  );
}
