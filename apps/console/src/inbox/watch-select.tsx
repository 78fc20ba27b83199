import { NativeSelect } from '@mantine/core';
import { Bell, BellOff, BellRing } from 'lucide-react';
import { inboxTexts as t } from '../texts/inbox.ts';
import { useWorkspace } from '../workspace/use-workspace.ts';
import { useLevel, useSubscribe, type WatchedType } from './use-subscribe.ts';

/** Chooses the notifications about a record, or about a whole workspace. */
export function WatchSelect({ type, id }: { type: WatchedType; id: string }) {
  const { id: workspaceId } = useWorkspace();
  const level = useLevel(id);
  const choose = useSubscribe({ workspaceId, type, id });
  if (!level) return null;
  const Icon = level === 'watch' ? BellRing : level === 'mute' ? BellOff : Bell;
  return (
    <NativeSelect
      size="xs"
      // Beside the title of a workflow, and in the panel of its node.
      {...(type === 'workflow' || type === 'node'
        ? {
            'aria-label': type === 'node' ? t.watch.label : t.watch.ofWorkflow,
            leftSection: <Icon size={14} aria-hidden />,
            className: 'watch-beside-title',
          }
        : { label: t.watch.label })}
      data={[
        { value: 'neither', label: t.watch.concerning },
        { value: 'watch', label: t.watch.everything },
        { value: 'mute', label: t.watch.nothing },
      ]}
      value={level}
      disabled={choose?.isPending ?? true}
      onChange={({ currentTarget: { value } }) => choose?.mutate(value as typeof level)}
    />
  );
}
