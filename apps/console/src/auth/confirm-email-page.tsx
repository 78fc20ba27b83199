import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sessionQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { Form } from '../ui/form.tsx';
import { TextLink } from '../ui/links.tsx';
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
      title={t.confirm.title}
      below={
        <TextLink underline="always" to="/">
          {t.toConsole}
        </TextLink>
      }
    >
      {confirm.isSuccess ? (
        <Text role="status">{t.confirm.done}</Text>
      ) : (
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            confirm.mutate();
          }}
          error={confirm.error}
          titles={{ NOT_FOUND: t.linkExpired, CONFLICT: t.emailTaken }}
        >
          <Text>{t.confirm.hint}</Text>
          <Button type="submit" loading={confirm.isPending}>
            {t.confirm.act}
          </Button>
        </Form>
      )}
    </Entrance>
  );
}
