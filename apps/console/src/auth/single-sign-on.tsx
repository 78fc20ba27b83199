import { Alert, Button, Divider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signInMethodsQuery } from './sign-in-methods.ts';

const ERRORS: Record<string, string> = {
  expired: 'That took too long, or began in another browser. Try again.',
  refused: 'The identity provider refused the sign-in.',
  email: 'The identity provider did not confirm an email address of yours.',
  domain: 'Addresses of your domain are not let in here.',
  closed: 'There is no account for you here. Ask for an invitation.',
  password: 'You have an account already: sign in with its password once, and both are linked from then on.',
  unavailable: 'The identity provider does not answer. Try again in a while.',
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
