import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '@waymark/client/api';
import { threadTexts as t } from '../texts/thread.ts';
import { RowButton } from '../ui/list/row-button.tsx';
import type { ThreadCalls } from './thread-calls.ts';

/** Resolves the conversation that a message begins, or reopens it. */
export function ResolveButton(props: {
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
