import { Button, Group, Paper, Text, Textarea } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { type Schemas, unwrap } from '@waymark/client/api';
import { api } from '../../api/client.ts';
import { sessionQuery } from '../../session/session-query.ts';
import { useWorkspace } from '../../session/use-workspace.ts';
import { nodePanelTexts as t } from '../../texts/node-panel.ts';
import { uiTexts as ui } from '../../texts/ui.ts';
import { confirmDestruction } from '../../ui/dialog/confirm.tsx';
import { Form } from '../../ui/form.tsx';
import { ImportedBy } from '../../ui/text/imported-by.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import type { Drafts } from '../../ui/unsaved.ts';
import { useDraft } from './use-draft.ts';

/** A message. Authors can edit and delete their own, admins can delete any. */
export function ThreadMessage(props: {
  message: Schemas['Message'];
  drafts: Drafts<string>;
  onChanged: () => Promise<void>;
}) {
  const { message, drafts, onChanged } = props;
  const { id, node_id, author, content, content_type, created_at, edited_at, imported_by } = message;
  const { may } = useWorkspace();
  const { data } = useSuspenseQuery(sessionQuery);
  const [edited, setEdited] = useDraft(drafts, id, content);
  const isOwn = author.type === 'session' && author.id === data.user.id;
  const path = { nodeId: node_id!, id };
  const save = useMutation({
    mutationFn: (text: string) =>
      unwrap(api.PATCH('/threads/{nodeId}/messages/{id}', { params: { path }, body: { content: text } })),
    onSuccess: () => {
      setEdited(null);
      return onChanged();
    },
  });
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE('/threads/{nodeId}/messages/{id}', { params: { path } })),
    onSuccess: onChanged,
  });
  return (
    <Paper component="li" withBorder p="sm">
      <Group gap="xs" justify="space-between" mb="2xs">
        <Text size="sm" fw={600}>
          {author.name ?? t.thread.somebody}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={created_at} />
          {edited_at !== null && ` · ${t.thread.edited}`}
          <ImportedBy author={imported_by} />
        </Text>
      </Group>
      {edited === null ? (
        content_type === 'markdown' ? (
          <Markdown size="sm">{content}</Markdown>
        ) : (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {content}
          </Text>
        )
      ) : (
        <Form
          gap="xs"
          error={save.error}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(edited);
          }}
        >
          <Textarea
            aria-label={t.thread.message}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={20_000}
            value={edited}
            onChange={({ currentTarget }) => setEdited(currentTarget.value)}
          />
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
      {edited === null && (isOwn || may('admin')) && (
        <Group gap="xs" mt="xs">
          {isOwn && (
            <Button size="compact-sm" variant="default" onClick={() => setEdited(content)}>
              {ui.edit}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              confirmDestruction({
                ...t.thread.deletion,
                onConfirm: () => remove.mutate(),
              })
            }
          >
            {ui.delete}
          </Button>
        </Group>
      )}
    </Paper>
  );
}
