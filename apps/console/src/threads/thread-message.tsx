import { Button, Group, Paper, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { lazy, Suspense } from 'react';
import { usePeople } from '../session/people.ts';
import { sessionQuery } from '../session/session-query.ts';
import { useWorkspace } from '../session/use-workspace.ts';
import { threadTexts as t } from '../texts/thread.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { Form } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import { ImportedBy } from '../ui/text/imported-by.tsx';
import { Moment } from '../ui/text/moment.tsx';
import type { Drafts } from '../ui/unsaved.ts';
import { hasMention, toWritten } from './mentions.ts';
import { MessageText } from './message-text.tsx';
import type { ThreadCalls } from './thread-calls.ts';
import { useDraft } from './use-draft.ts';
import { useStored } from './use-stored.ts';

const MessageInput = lazy(() =>
  import('./message-input.tsx').then((module) => ({ default: module.MessageInput })),
);

/** A message. Authors can edit and delete their own, admins can delete any. */
export function ThreadMessage(props: {
  message: Schemas['Message'];
  /** The message that it answers, if that is here. */
  answered: Schemas['Message'] | undefined;
  calls: ThreadCalls;
  drafts: Drafts<string>;
  onChanged: () => Promise<void>;
  onReply: () => void;
}) {
  const { message, answered, calls, drafts, onChanged } = props;
  const { id, author, content, created_at, edited_at, reply_to, imported_by } = message;
  const { may } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const stored = useStored();
  const people = usePeople(hasMention(content)) ?? [];
  const written = toWritten(content, people);
  const [edited, setEdited] = useDraft(drafts, id, written);
  const isOwn = author.type === 'session' && author.id === data.user.id;
  const save = useMutation({
    mutationFn: async (text: string) => calls.edit(id, await stored(text)),
    onSuccess: () => {
      setEdited(null);
      return onChanged();
    },
  });
  const remove = useMutation({
    mutationFn: () => calls.remove(id),
    onSuccess: onChanged,
  });
  return (
    <Paper component="li" withBorder p="sm">
      <Group gap="xs" justify="space-between" mb="2xs">
        <Text size="sm" fw={600}>
          {author.name ?? t.somebody}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={created_at} />
          {edited_at !== null && ` · ${t.edited}`}
          <ImportedBy author={imported_by} />
        </Text>
      </Group>
      {reply_to !== null && (
        <Text size="xs" c="dimmed" mb="2xs">
          {t.answers(answered ? (answered.author.name ?? t.somebody) : null)}
        </Text>
      )}
      {edited === null ? (
        <MessageText {...message} />
      ) : (
        <Form
          gap="xs"
          error={save.error}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(edited);
          }}
        >
          <Suspense fallback={<Loading />}>
            <MessageInput label={t.message} value={edited} onChange={setEdited} />
          </Suspense>
          <Group gap="xs">
            <Button type="submit" size="xs" loading={save.isPending} disabled={edited.trim() === ''}>
              {ui.save}
            </Button>
            <Button size="xs" variant="default" onClick={() => setEdited(null)}>
              {ui.cancel}
            </Button>
          </Group>
        </Form>
      )}
      {edited === null && may('member') && (
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" onClick={props.onReply}>
            {t.reply}
          </Button>
          {isOwn && (
            <Button size="compact-sm" variant="default" onClick={() => setEdited(written)}>
              {ui.edit}
            </Button>
          )}
          {(isOwn || may('admin')) && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() =>
                confirmDestruction({
                  ...t.deletion,
                  onConfirm: () => remove.mutate(),
                })
              }
            >
              {ui.delete}
            </Button>
          )}
        </Group>
      )}
    </Paper>
  );
}
