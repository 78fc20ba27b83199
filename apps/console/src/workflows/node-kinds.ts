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
import { isUserId } from '../api/person-entry.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { nodesTexts } from '../texts/nodes.ts';
import type { NodeRecord, NodeStatus, NodeType } from './graph/graph.ts';

interface Kind {
  icon: LucideIcon;
  /** A colour of Mantine's palette. */
  color: string;
}

/** The seven node types and their appearance. */
export const NODE_KINDS: Record<NodeType, Kind> = {
  task: { icon: SquareCheckBig, color: 'blue' },
  doc: { icon: FileText, color: 'gray' },
  table: { icon: Table2, color: 'teal' },
  thread: { icon: MessagesSquare, color: 'grape' },
  decision: { icon: Gavel, color: 'brand' },
  automation: { icon: Bot, color: 'orange' },
  pulse: { icon: Activity, color: 'pink' },
};
export const NODE_TYPES = Object.keys(NODE_KINDS) as NodeType[];

export const STATUSES = Object.keys(nodesTexts.statuses) as NodeStatus[];

/** The node's accessible name. */
export function nodeInWords({ type, title, status, assigned_to }: NodeRecord): string {
  // The name of a member is in the panel of the node: here it is not known yet.
  const assigned = assigned_to !== null && !isUserId(assigned_to) && t.assigned(assigned_to);
  return [nodesTexts.types[type], title, nodesTexts.statuses[status], assigned].filter(Boolean).join(', ');
}
