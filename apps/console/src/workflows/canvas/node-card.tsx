import { limits } from '@waymark/client/facts';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { MessageSquare } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, memo, useContext, useEffect, useRef } from 'react';
import { isUserId, nameIn } from '../../api/person-entry.ts';
import { canvasTexts as t } from '../../texts/canvas.ts';
import { nodesTexts } from '../../texts/nodes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { usePeople } from '../../workspace/people.ts';
import { MessageCountsContext } from '../message-counts.ts';
import { NODE_KINDS } from '../node-kinds.ts';
import type { FlowNode } from './flow-elements.ts';

/** A node on the canvas. Plain elements, because there can be thousands. */
export const NodeCard = memo(function NodeCard({ data, isConnectable }: NodeProps<FlowNode>) {
  const { record, onRenamed } = data;
  const messages = useContext(MessageCountsContext)[record.id] ?? 0;
  const { icon: Icon, color } = NODE_KINDS[record.type];
  return (
    <div className="node-card" data-type={record.type} data-status={record.status}>
      <Handle type="target" position={Position.Left} isConnectable={isConnectable} />
      <span
        className="node-icon"
        style={{
          background: `var(--mantine-color-${color}-light)`,
          color: `var(--mantine-color-${color}-light-color)`,
        }}
      >
        <Icon size={20} aria-hidden />
      </span>
      <span className="node-text">
        <span className="node-kind">
          {nodesTexts.types[record.type]}
          {messages > 0 && <Messages count={messages} />}
        </span>
        {onRenamed ? (
          <TitleField title={record.title} onDone={onRenamed} />
        ) : (
          <span className="node-title" title={record.title}>
            {record.title}
          </span>
        )}
        <span className="node-state">
          <span className="node-dot" />
          {nodesTexts.statuses[record.status]}
          {record.assigned_to && <Assignee entry={record.assigned_to} />}
        </span>
      </span>
      <Handle type="source" position={Position.Right} isConnectable={isConnectable} />
    </div>
  );
});

export function Assignee({ entry }: { entry: string }) {
  const name = nameIn(usePeople(isUserId(entry)) ?? [], entry);
  if (isUserId(name)) return null;
  return (
    <span className="node-assignee" title={name}>
      <Avatar name={name} /> {name}
    </span>
  );
}

function Messages({ count }: { count: number }) {
  const shown = count < limits.countedMessages ? String(count) : `${limits.countedMessages - 1}+`;
  const words = t.messages(shown, count);
  return (
    <span className="node-messages" role="img" aria-label={words} title={words}>
      <MessageSquare size={11} aria-hidden />
      {shown}
    </span>
  );
}

/** Edits a node's title in place. Enter and a click elsewhere save, Escape does not. */
function TitleField(props: { title: string; onDone: (title: string | null) => void }) {
  const { title, onDone } = props;
  const field = useRef<HTMLInputElement>(null);
  const isCancelled = useRef(false);

  useEffect(() => {
    field.current!.focus({ preventScroll: true });
    field.current!.select();
  }, []);

  // The canvas removes nodes that leave the view, and a removed field loses the focus: that saves nothing.
  function onBlur({ currentTarget: { value } }: FocusEvent<HTMLInputElement>) {
    if (field.current) onDone(isCancelled.current ? null : value.trim() || null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if ((event.key !== 'Enter' && event.key !== 'Escape') || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    isCancelled.current = event.key === 'Escape';
    // Moves the focus off the field, which ends the editing.
    event.currentTarget.closest<HTMLElement>('.react-flow__node')!.focus({ preventScroll: true });
  }

  return (
    <input
      ref={field}
      className="node-title-field nodrag"
      aria-label={t.nodeTitle}
      maxLength={limits.titleCharacters}
      defaultValue={title}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  );
}
