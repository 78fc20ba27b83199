import { Anchor, Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sessionQuery } from '../session/session-query.ts';
import { Form } from '../ui/form.tsx';
import { Entrance } from './entrance.tsx';

/** The page of a mailed link. The token is in the fragment (#), which browsers do not send. */
export function ConfirmEmailPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => unwrap(api.POST('/auth/email/confirm', { body: { token } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <Entrance
      title="Confirm your e-mail address"
      below={
        <Anchor underline="always" renderRoot={(props) => <Link to="/" {...props} />}>
          To the console
        </Anchor>
      }
    >
      {confirm.isSuccess ? (
        <Text role="status">Your address is changed. Sign in with it from now on.</Text>
      ) : (
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate();
          }}
          error={confirm.error}
          titles={{ NOT_FOUND: 'This link is no longer valid', CONFLICT: 'This email has an account' }}
        >
          <Text>You sign in with the address to which this link was sent, instead of the previous one.</Text>
          <Button type="submit" loading={confirm.isPending}>
            Use this address
          </Button>
        </Form>
      )}
    </Entrance>
  );
}
