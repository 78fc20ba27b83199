import { Alert, Button, Divider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signInMethodsQuery } from '../session/session-query.ts';

const ERRORS: Record<string, string> = {
  expired: 'The sign-in expired or started in another browser. Try again.',
  refused: 'The identity provider refused the sign-in.',
  email: 'The identity provider did not confirm your email address.',
  domain: 'Addresses of your domain cannot sign in here.',
  closed: 'You have no account here. Ask for an invitation.',
  password: 'You already have an account. Sign in with its password once to link both.',
  unavailable: 'The identity provider does not respond. Try again later.',
};

/** Sign-in through the identity provider, if one is configured. */
export function SingleSignOn(props: {
  back: string | undefined;
  error?: string | undefined;
  /** Called when the user leaves for the provider. */
  onLeave?: () => void;
}) {
  const { back, error, onLeave } = props;
  const methods = useQuery(signInMethodsQuery);
  const oidc = methods.data?.oidc;
  const start = `/v1/auth/oidc/start${back ? `?returnTo=${encodeURIComponent(back)}` : ''}`;
  return (
    <>
      {error !== undefined && Object.hasOwn(ERRORS, error) && (
        <Alert color="red" variant="outline" role="alert" title="Single sign-on did not work" mb="md">
          {ERRORS[error]}
        </Alert>
      )}
      {oidc && (
        <>
          <Button component="a" href={start} variant="default" fullWidth onClick={onLeave}>
            Sign in with {oidc.name}
          </Button>
          <Divider label="or" my="md" />
        </>
      )}
    </>
  );
}
