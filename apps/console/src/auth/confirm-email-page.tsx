import { Text } from '@mantine/core';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { sessionQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { Form, SubmitButton } from '../ui/form.tsx';
import { TextLink } from '../ui/links.tsx';
import { useChange } from '../ui/use-change.ts';
import { Entrance } from './entrance.tsx';

/** The page of a mailed link. The token is in the fragment (#), which browsers do not send. */
export function ConfirmEmailPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const confirm = useChange({
    mutationFn: () => unwrap(api.POST('/auth/email/confirm', { body: { token } })),
    changes: [sessionQuery.queryKey],
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
          onSubmit={() => confirm.mutate()}
          error={confirm.error}
          titles={{ NOT_FOUND: t.linkExpired, CONFLICT: t.emailTaken }}
        >
          <Text>{t.confirm.hint}</Text>
          <SubmitButton of={confirm}>{t.confirm.act}</SubmitButton>
        </Form>
      )}
    </Entrance>
  );
}
