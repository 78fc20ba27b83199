import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { type SyntheticEvent, useState } from 'react';
import './thread.css';
import { queryKeys } from '../api/query-keys.ts';
import { threadTexts as t } from '../texts/thread.ts';
import { uiTexts as ui } from '../texts/ui.ts';
import { isCharacter } from '../ui/dialog/early-typing.tsx';
import { Form, SubmitButton } from '../ui/form.tsx';
import { lazyPart } from '../ui/lazy-page.ts';
import { RowButton } from '../ui/list/row-button.tsx';
import { scrollTo } from '../ui/list/scroll-to.ts';
import { loadNextPage } from '../ui/list/use-paged.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { Hint } from '../ui/text/hint.ts';
import type { Drafts } from '../ui/unsaved.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { MessageField } from './message-field.tsx';
import { type Topic, threadCalls } from './thread-calls.ts';
import { ThreadMessage } from './thread-message.tsx';
import { useDraft } from './use-draft.ts';
import { useStored } from './use-stored.ts';

const MessageEditor = lazyPart(() => import('./message-editor.tsx'));

const PAGE_SIZE = 50;

// As a ref, it runs once for an element.
const focus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

/** The newest messages on a node or a decision, the last below, and a field for a new one. */
export default function Thread({ topic, drafts }: { topic: Topic; drafts: Drafts<string> }) {
  const calls = threadCalls(topic);
  // How often the user has asked for the editor since it was closed. Null: open if there is a draft.
  const [asked, setAsked] = useState<number | null>(null);
  const { id: workspaceId, may } = useWorkspace();
  const queryClient = useQueryClient();
  const queryKey = [...queryKeys.threads(workspaceId), ...calls.key];
  const [content, setContent] = useDraft(drafts, calls.key.at(-1)!);
  const [answered, setAnswered] = useState<Schemas['Message'] | null>(null);
  const [shown, setShown] = useState<readonly string[]>([]);
  const stored = useStored();
  const thread = useInfiniteQuery({
    queryKey,
    changesWith: ['thread.*', 'messages.imported'],
    about: calls.key.at(-1)!,
    queryFn: ({ pageParam: cursor }) =>
      calls.read({ sort: '-created_at', limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const changed = () => queryClient.invalidateQueries({ queryKey });
  const post = useMutation({
    mutationFn: async (text: string) =>
      calls.post({
        content: await stored(text),
        contentType: 'markdown',
        ...(answered && { replyTo: answered.id }),
      }),
    onSuccess: () => {
      setContent(null);
      setAnswered(null);
      setAsked(0);
      return changed();
    },
  });
  /** Opens the editor, or moves the focus back to it. */
  function write(to = answered): void {
    setAnswered(to);
    setAsked(Number(asked) + 1);
  }
  function begin(event: SyntheticEvent, text: string): void {
    event.preventDefault();
    setContent((content ?? '') + text);
    write();
  }
  const isWriting = Boolean(asked ?? content !== null);
  const isWritten = content !== null && content.trim() !== '';
  if (thread.isPending) return <Loading label={t.loading} />;
  const problem = thread.isError && <ProblemAlert error={thread.error} retry={() => void thread.refetch()} />;
  if (!thread.data) return problem;
  const messages = thread.data.pages.flatMap((page) => page.messages).toReversed();
  // A threads service before this version sends none.
  const resolved = new Map(thread.data.pages.flatMap((page) => Object.entries(page.resolved_replies ?? {})));
  return (
    <Stack gap="sm" className="thread">
      {problem}
      {thread.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={thread.isFetchingNextPage}
          onClick={() => void loadNextPage(thread)}
        >
          {t.earlier}
        </Button>
      )}
      {messages.length === 0 && <Hint>{t.empty}</Hint>}
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.messages}>
        {messages.map((message) => {
          // The one that begins a resolved conversation can be on a page that is not loaded.
          const first = resolved.get(message.id);
          const id = first ?? message.id;
          const answered = messages.find((one) => one.id === message.reply_to);
          const isFirst = message.reply_to === null || (!answered && !thread.hasNextPage);
          const isResolved = isFirst && message.resolved_at !== null;
          const isShown = (!first && !isResolved) || shown.includes(id);
          if (!isShown && first) return null;
          return (
            <ThreadMessage
              key={message.id}
              ref={message.id === post.data?.message.id ? scrollTo : undefined}
              message={message}
              answered={answered}
              isFirst={isFirst}
              isShown={isShown}
              calls={calls}
              drafts={drafts}
              onChanged={changed}
              onReply={() => write(message)}
              onShow={() => setShown(isShown ? shown.filter((one) => one !== id) : [...shown, id])}
            />
          );
        })}
      </Stack>
      <VisuallyHidden role="status">{post.isSuccess && t.posted}</VisuallyHidden>
      {may('member') && !isWriting && (
        <div className="composer">
          <Button
            ref={asked === 0 ? focus : undefined}
            variant="default"
            c="dimmed"
            fw={400}
            justify="flex-start"
            fullWidth
            onClick={() => write()}
            // It looks like a field: typing writes, and runs no shortcut of the page.
            onKeyDown={(event) => {
              if (event.key !== ' ' && isCharacter(event)) begin(event, event.key);
            }}
            onPaste={(event) => begin(event, event.clipboardData.getData('text'))}
          >
            {t.begin}
          </Button>
        </div>
      )}
      {may('member') && isWriting && (
        <Form
          gap="xs"
          error={post.error}
          onSubmit={() => {
            if (isWritten) post.mutate(content);
          }}
        >
          {answered && (
            <Group gap="xs">
              <Text size="sm">{t.answering(answered.author.name ?? t.somebody)}</Text>
              <RowButton onClick={() => write(null)}>{ui.cancel}</RowButton>
            </Group>
          )}
          <MessageField
            key={asked}
            lazy={MessageEditor}
            label={t.fresh}
            isFocused={Boolean(asked)}
            value={content ?? ''}
            onChange={setContent}
          />
          <Group justify="flex-end" gap="xs">
            <Button size="xs" variant="default" onClick={() => setAsked(0)}>
              {ui.close}
            </Button>
            <SubmitButton of={post} size="xs" disabled={!isWritten}>
              {t.post}
            </SubmitButton>
          </Group>
        </Form>
      )}
    </Stack>
  );
}
