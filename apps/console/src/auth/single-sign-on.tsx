import { Alert, Button, Divider } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { signInMethodsQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';

const isKnown = (error: string): error is keyof typeof t.sso.errors => Object.hasOwn(t.sso.errors, error);

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
      {error !== undefined && isKnown(error) && (
        <Alert color="red" role="alert" title={t.sso.failed} mb="md">
          {t.sso.errors[error]}
        </Alert>
      )}
      {oidc && (
        <>
          <Button component="a" href={start} variant="default" fullWidth onClick={onLeave}>
            {t.sso.signIn(oidc.name)}
          </Button>
          <Divider label={t.sso.or} my="md" />
        </>
      )}
    </>
  );
}
