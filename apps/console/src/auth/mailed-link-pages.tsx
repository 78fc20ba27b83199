import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { sessionQuery } from '../session/session-query.ts';
import { authTexts as t } from '../texts/auth.ts';
import { Form, SubmitButton } from '../ui/form.tsx';
import { TextLink } from '../ui/links.tsx';
import { useChange } from '../ui/use-change.ts';
import { Entrance } from './entrance.tsx';

/** The token of a mailed link. It is in the fragment (#), which browsers do not send. */
const useToken = () => useState(() => window.location.hash.slice(1))[0];

/** Confirms the new address of a user. */
export function ConfirmEmailPage() {
  const token = useToken();
  const confirm = useChange({
    mutationFn: () => api.post('/auth/email/confirm', { body: { token } }),
    changes: [sessionQuery.queryKey],
  });
  return <MailedLink texts={t.confirm} change={confirm} titles={{ CONFLICT: t.emailTaken }} />;
}

/** The link below a mail of notifications. It works without a session. */
export function UnsubscribePage() {
  const token = useToken();
  const unsubscribe = useMutation({
    mutationFn: () => api.post('/notifications/unsubscribe', { token }),
  });
  return <MailedLink texts={t.unsubscribe} change={unsubscribe} />;
}

/** Asks before it does what the link is for: programs that look at mails open links as well. */
function MailedLink(props: {
  texts: typeof t.confirm;
  change: { isSuccess: boolean; isPending: boolean; error: unknown; mutate: () => void };
  titles?: Record<string, string>;
}) {
  const { texts, change, titles } = props;
  const toConsole = (
    <TextLink underline="always" to="/">
      {t.toConsole}
    </TextLink>
  );
  return (
    <Entrance title={texts.title} below={toConsole}>
      {change.isSuccess ? (
        <Text role="status">{texts.done}</Text>
      ) : (
        <Form
          onSubmit={() => change.mutate()}
          error={change.error}
          titles={{ NOT_FOUND: t.linkExpired, ...titles }}
        >
          <Text>{texts.hint}</Text>
          <SubmitButton of={change}>{texts.act}</SubmitButton>
        </Form>
      )}
    </Entrance>
  );
}
