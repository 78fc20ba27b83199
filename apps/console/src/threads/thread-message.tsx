import { ActionIcon, Button, Group, Paper, Text } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { Reply } from 'lucide-react';
import { type Ref, type UIEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { sessionQuery } from '../session/session-query.ts';
import { threadTexts as t } from '../texts/thread.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { Person } from '../ui/avatar.tsx';
import { confirmDestruction } from '../ui/dialog/confirm.tsx';
import { IN_ROW, MoreAction, MoreMenu } from '../ui/dialog/more-menu.tsx';
import { Form, SubmitButton } from '../ui/form.tsx';
import { lazyPart } from '../ui/lazy-page.ts';
import { RowButton } from '../ui/list/row-button.tsx';
import { ImportedBy } from '../ui/text/imported-by.tsx';
import { Markdown } from '../ui/text/markdown.tsx';
import { hasMention, toWritten, withNames } from '../ui/text/mentions.ts';
import { Moment } from '../ui/text/moment.tsx';
import type { Drafts } from '../ui/unsaved.ts';
import { usePeople } from '../workspace/people.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { MessageField } from './message-field.tsx';
import { MessageReactions, ReactButton, useReact } from './message-reactions.tsx';
import type { ThreadCalls } from './thread-calls.ts';
import { useDraft } from './use-draft.ts';
import { useStored } from './use-stored.ts';

const MessageInput = lazyPart(() => import('./message-input.tsx'));

/** A message. Authors edit and delete their own, admins delete any, members resolve one with its replies. */
export function ThreadMessage(props: {
  ref: Ref<HTMLLIElement> | undefined;
  message: Schemas['Message'];
  /** The message that it answers, if that is here. */
  answered: Schemas['Message'] | undefined;
  /** Whether it answers no other message, so that it can be resolved. */
  isFirst: boolean;
  /** False for a resolved message, whose text is hidden. */
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
  const resolve = useMutation({
    mutationFn: () => calls.resolve(id, !isResolved),
    onSuccess: onChanged,
  });
  const react = useReact(message, calls, onChanged);
  const name = author.name ?? t.somebody;
  const isRead = isShown && edited === null;
  const mayRemove = isShown && (isOwn || may('admin'));
  return (
    <Paper ref={props.ref} component="li" withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs" mb="2xs">
        <Group gap="0 var(--mantine-spacing-xs)">
          <Text size="sm" fw={600}>
            <Person name={name} />
          </Text>
          <Text size="xs" c="dimmed">
            <Moment at={created_at} />
            {edited_at !== null && ` · ${t.edited}`}
            <ImportedBy author={imported_by} />
          </Text>
        </Group>
        {may('member') && (isRead || !isShown) && (
          <Group gap="2xs" wrap="nowrap">
            {isShown && (
              <>
                <ReactButton {...react} />
                <ActionIcon {...IN_ROW} aria-label={t.reply} title={t.reply} onClick={props.onReply}>
                  <Reply size={16} className="directional" />
                </ActionIcon>
              </>
            )}
            {(mayRemove || isFirst) && (
              <MoreMenu of={t.messageBy(name)} isBusy={resolve.isPending || remove.isPending}>
                {isFirst && (
                  <MoreAction onClick={() => resolve.mutate()}>
                    {isResolved ? t.reopen : t.resolve}
                  </MoreAction>
                )}
                {isShown && isOwn && <MoreAction onClick={() => setEdited(written)}>{ui.edit}</MoreAction>}
                {mayRemove && (
                  <MoreAction
                    isDanger
                    onClick={() => confirmDestruction({ ...t.deletion, onConfirm: () => remove.mutate() })}
                  >
                    {ui.delete}
                  </MoreAction>
                )}
              </MoreMenu>
            )}
          </Group>
        )}
      </Group>
      {reply_to !== null && (
        <Text size="xs" c="dimmed" mb="2xs">
          {t.answers(answered ? (answered.author.name ?? t.somebody) : null)}
        </Text>
      )}
      {isResolved && (
        <Text size="sm" mb="2xs">
          {t.resolved(message.resolved_by?.name ?? t.somebody)} · <Moment at={message.resolved_at!} />{' '}
          <RowButton aria-expanded={isShown} onClick={props.onShow}>
            {isShown ? t.hide : t.show}
          </RowButton>
        </Text>
      )}
      {isRead && (
        <>
          <MessageText {...message} />
          <MessageReactions reactions={message.reactions} react={react} />
        </>
      )}
      {isShown && edited !== null && (
        <Form gap="xs" error={save.error} onSubmit={() => save.mutate(edited)}>
          <MessageField lazy={MessageInput} label={t.message} isFocused value={edited} onChange={setEdited} />
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
    </Paper>
  );
}

const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** The text of a message; mentions have the names of now. A long text shows its beginning first. */
function MessageText({ content, content_type }: Pick<Schemas['Message'], 'content' | 'content_type'>) {
  const people = usePeople(hasMention(content));
  const [isWhole, setWhole] = useState(false);
  const [isLong, setLong] = useState(false);
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = text;
    if (isWhole || !current) return;
    const observer = new ResizeObserver(() => setLong(current.scrollHeight > current.clientHeight));
    observer.observe(current.firstElementChild!);
    return () => observer.disconnect();
  }, [isWhole]);
  const isMarkdown = content_type === 'markdown';
  const shown = withNames(content, (id) => {
    const name = people?.find((one) => one.id === id)?.name ?? (people ? t.formerMember : '…');
    return isMarkdown ? name.replace(PUNCTUATION, '\\$&') : name;
  });
  // The browser scrolls to a link that gets the focus, and to a text that it finds.
  const showWhole = ({ currentTarget }: UIEvent<HTMLElement>) => {
    currentTarget.scrollTop = 0;
    flushSync(() => setWhole(true));
    currentTarget.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <div ref={text} className={isWhole ? undefined : 'folded'} onScroll={showWhole}>
        {isMarkdown ? (
          <Markdown size="sm">{shown}</Markdown>
        ) : (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {shown}
          </Text>
        )}
      </div>
      {isLong && (
        <RowButton mt="2xs" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t.less : t.all}
        </RowButton>
      )}
    </>
  );
}
