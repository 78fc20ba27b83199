import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { authTexts as t } from '../texts/auth.ts';
import { Form, SubmitButton } from '../ui/form.tsx';
import { TextLink } from '../ui/links.tsx';
import { Entrance } from './entrance.tsx';

/** The page of the link below a mail of notifications. It works without a session. */
export function UnsubscribePage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const unsubscribe = useMutation({
    mutationFn: () => unwrap(api.POST('/notifications/unsubscribe', { params: { query: { token } } })),
  });
  return (
    <Entrance
      title={t.unsubscribe.title}
      below={
        <TextLink underline="always" to="/">
          {t.toConsole}
        </TextLink>
      }
    >
      {unsubscribe.isSuccess ? (
        <Text role="status">{t.unsubscribe.done}</Text>
      ) : (
        <Form
          onSubmit={() => unsubscribe.mutate()}
          error={unsubscribe.error}
          titles={{ NOT_FOUND: t.linkExpired }}
        >
          <Text>{t.unsubscribe.hint}</Text>
          <SubmitButton of={unsubscribe}>{t.unsubscribe.act}</SubmitButton>
        </Form>
      )}
    </Entrance>
  );
}
