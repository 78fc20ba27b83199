import { Button, Group, Paper, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { lazy, Suspense } from 'react';
import { sessionQuery } from '../session/session-query.ts';
import { threadTexts as t } from '../texts/thread.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Person } from '../ui/avatar.tsx';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { Form, SubmitButton } from '../ui/form.tsx';
import { RowButton } from '../ui/list/row-button.tsx';
import { Loading } from '../ui/loading.tsx';
import { ImportedBy } from '../ui/text/imported-by.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { hasMention, toWritten, withNames } from '../ui/text/mentions.ts';
import { Moment } from '../ui/text/moment.tsx';
import type { Drafts } from '../ui/unsaved.ts';
import { usePeople } from '../workspace/people.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { MessageReactions } from './message-reactions.tsx';
import type { ThreadCalls } from './thread-calls.ts';
import { useDraft } from './use-draft.ts';
import { useStored } from './use-stored.ts';

const MessageInput = lazy(() =>
  import('./message-input.tsx').then((module) => ({ default: module.MessageInput })),
);

/** A message. Authors edit and delete their own, admins delete any, members resolve conversations. */
export function ThreadMessage(props: {
  message: Schemas['Message'];
  /** The message that it answers, if that is here. */
  answered: Schemas['Message'] | undefined;
  /** Whether it begins its conversation. */
  isFirst: boolean;
  /** False for the one message that stands for a resolved conversation. */
  isShown: boolean;
  calls: ThreadCalls;
  drafts: Drafts<string>;
  onChanged: () => Promise<void>;
  onReply: () => void;
  onShow: () => void;
}) {
  const { message, answered, isFirst, isShown, calls, drafts, onChanged } = props;
  const { id, author, content, created_at, edited_at, reply_to, imported_by } = message;
  const isResolved = isFirst && message.resolved_at !== null;
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
  const remove = useMutation({ mutationFn: () => calls.remove(id), onSuccess: onChanged });
  return (
    <Paper component="li" withBorder p="sm">
      <Group gap="xs" justify="space-between" mb="2xs">
        <Text size="sm" fw={600}>
          <Person name={author.name ?? t.somebody} />
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
      {isResolved && (
        <Text size="sm" mb="2xs">
          {t.resolved(message.resolved_by?.name ?? t.somebody)} · <Moment at={message.resolved_at!} />
        </Text>
      )}
      {isShown && edited === null && (
        <>
          <MessageText {...message} />
          <MessageReactions message={message} calls={calls} onChanged={onChanged} />
        </>
      )}
      {isShown && edited !== null && (
        <Form gap="xs" error={save.error} onSubmit={() => save.mutate(edited)}>
          <Suspense fallback={<Loading />}>
            <MessageInput label={t.message} value={edited} onChange={setEdited} />
          </Suspense>
          <Group gap="xs">
            <SubmitButton of={save} size="xs" disabled={edited.trim() === ''}>
              {ui.save}
            </SubmitButton>
            <Button size="xs" variant="default" onClick={() => setEdited(null)}>
              {ui.cancel}
            </Button>
          </Group>
        </Form>
      )}
      {(edited === null || !isShown) && (may('member') || isResolved) && (
        <Group gap="xs" mt="xs">
          {isShown && may('member') && <RowButton onClick={props.onReply}>{t.reply}</RowButton>}
          {isShown && isOwn && may('member') && (
            <RowButton onClick={() => setEdited(written)}>{ui.edit}</RowButton>
          )}
          {isShown && may('member') && (isOwn || may('admin')) && (
            <RowButton
              onClick={() => confirmDestruction({ ...t.deletion, onConfirm: () => remove.mutate() })}
            >
              {ui.delete}
            </RowButton>
          )}
          {isFirst && may('member') && (
            <ResolveButton message={message} calls={calls} onChanged={onChanged} />
          )}
          {isResolved && (
            <RowButton aria-expanded={isShown} onClick={props.onShow}>
              {isShown ? t.hide : t.show}
            </RowButton>
          )}
        </Group>
      )}
    </Paper>
  );
}

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** The text of a message; mentions have the names of now. */
function MessageText({ content, content_type }: Pick<Schemas['Message'], 'content' | 'content_type'>) {
  const people = usePeople(hasMention(content));
  const isMarkdown = content_type === 'markdown';
  const shown = withNames(content, (id) => {
    const name = people?.find((one) => one.id === id)?.name ?? (people ? t.formerMember : '…');
    return isMarkdown ? name.replace(PUNCTUATION, '\\$&') : name;
  });
  if (isMarkdown) return <Markdown size="sm">{shown}</Markdown>;
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {shown}
    </Text>
  );
}

/** Resolves the conversation that a message begins, or reopens it. */
function ResolveButton(props: {
  message: Schemas['Message'];
  calls: ThreadCalls;
  onChanged: () => Promise<void>;
}) {
  const { id, resolved_at } = props.message;
  const isResolved = resolved_at !== null;
  const resolve = useMutation({
    mutationFn: () => props.calls.resolve(id, !isResolved),
    onSuccess: props.onChanged,
  });
  return (
    <RowButton loading={resolve.isPending} onClick={() => resolve.mutate()}>
      {isResolved ? t.reopen : t.resolve}
    </RowButton>
  );
}
