import { Button, Group, Stack, Tabs, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { Form } from '../../ui/form.tsx';
import { loadNextPage } from '../../ui/list/use-paged.ts';
import { Loading } from '../../ui/loading.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import type { Drafts } from '../../ui/unsaved.ts';
import { ThreadMessage } from './thread-message.tsx';
import { useDraft } from './use-draft.ts';

const PAGE_SIZE = 50;

/** A node's messages, oldest first, and a field for a new one. */
export function Thread({ nodeId, drafts }: { nodeId: string; drafts: Drafts<string> }) {
  const { id: workspaceId, may } = useWorkspace();
  const queryClient = useQueryClient();
  const queryKey = [...queryKeys.threads(workspaceId), nodeId];
  const [content, setContent] = useDraft(drafts, nodeId);
  const thread = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) =>
      unwrap(
        api.GET('/threads/{nodeId}', {
          params: { path: { nodeId }, query: { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const changed = () => queryClient.invalidateQueries({ queryKey });
  const post = useMutation({
    mutationFn: (text: string) =>
      unwrap(
        api.POST('/threads/{nodeId}', {
          params: { path: { nodeId } },
          body: { content: text, contentType: 'markdown' },
        }),
      ),
    onSuccess: () => {
      setContent(null);
      return changed();
    },
  });
  const isWritten = content !== null && content.trim() !== '';
  if (thread.isPending) return <Loading label={t.thread.loading} />;
  const problem = thread.isError && <ProblemAlert error={thread.error} retry={() => void thread.refetch()} />;
  if (!thread.data) return problem;
  const messages = thread.data.pages.flatMap((page) => page.messages);
  return (
    <Stack gap="sm">
      {problem}
      {messages.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.thread.empty}
        </Text>
      )}
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t.thread.messages}>
        {messages.map((message) => (
          <ThreadMessage key={message.id} message={message} drafts={drafts} onChanged={changed} />
        ))}
      </Stack>
      {thread.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={thread.isFetchingNextPage}
          onClick={() => void loadNextPage(thread)}
        >
          {t.thread.later}
        </Button>
      )}
      {may('member') && (
        <Form
          gap="xs"
          error={post.error}
          onSubmit={(event) => {
            event.preventDefault();
            if (isWritten) post.mutate(content);
          }}
        >
          <Tabs defaultValue="write" variant="outline">
            <Tabs.List>
              <Tabs.Tab value="write">{t.thread.write}</Tabs.Tab>
              <Tabs.Tab value="preview">{t.thread.preview}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="write" pt="xs">
              <Textarea
                aria-label={t.thread.fresh}
                placeholder={t.thread.markdown}
                autosize
                minRows={3}
                maxRows={12}
                maxLength={20_000}
                value={content ?? ''}
                onChange={({ currentTarget }) => setContent(currentTarget.value)}
              />
            </Tabs.Panel>
            <Tabs.Panel value="preview" pt="xs">
              <Markdown size="sm">{content || t.thread.noPreview}</Markdown>
            </Tabs.Panel>
          </Tabs>
          <Group justify="flex-end">
            <Button type="submit" size="xs" loading={post.isPending} disabled={!isWritten}>
              {t.thread.post}
            </Button>
          </Group>
        </Form>
      )}
    </Stack>
  );
}
