import {
  Activity,
  Bot,
  FileText,
  Gavel,
  type LucideIcon,
  MessagesSquare,
  SquareCheckBig,
  Table2,
} from 'lucide-react';
import type { NodeRecord, NodeStatus, NodeType } from './graph/graph.ts';

interface Kind {
  label: string;
  icon: LucideIcon;
  /** A colour of Mantine's palette. */
  color: string;
}

/** The seven node types and their appearance. */
export const NODE_KINDS: Record<NodeType, Kind> = {
  task: { label: 'Task', icon: SquareCheckBig, color: 'blue' },
  doc: { label: 'Document', icon: FileText, color: 'gray' },
  table: { label: 'Table', icon: Table2, color: 'teal' },
  thread: { label: 'Thread', icon: MessagesSquare, color: 'grape' },
  decision: { label: 'Decision', icon: Gavel, color: 'brand' },
  automation: { label: 'Automation', icon: Bot, color: 'orange' },
  pulse: { label: 'Pulse', icon: Activity, color: 'pink' },
};
export const NODE_TYPES = Object.keys(NODE_KINDS) as NodeType[];

export const STATUS_LABELS: Record<NodeStatus, string> = {
  backlog: 'Backlog',
  todo: 'To do',
  in_progress: 'In progress',
  in_review: 'In review',
  done: 'Done',
  cancelled: 'Cancelled',
};
export const STATUSES = Object.keys(STATUS_LABELS) as NodeStatus[];

/** The node's accessible name. */
export const nodeInWords = ({ type, title, status, assigned_to }: NodeRecord) =>
  [NODE_KINDS[type].label, title, STATUS_LABELS[status], assigned_to && `assigned to ${assigned_to}`]
    .filter(Boolean)
    .join(', ');
