import { nodesTexts as t } from '../texts/nodes.ts';
import { Board } from '../ui/list/board.tsx';
import { Assignee } from './canvas/node-card.tsx';
import type { NodeRecord, NodeStatus } from './graph/graph.ts';
import { NODE_KINDS } from './node-kinds.ts';

/** The nodes of a workflow by status. */
export default function NodeBoard(props: {
  nodes: NodeRecord[];
  onMove: ((node: NodeRecord, to: NodeStatus) => void) | null;
  onOpen: (id: string) => void;
}) {
  return (
    <Board columns={t.statuses} items={props.nodes} columnOf={({ status }) => status} move={props.onMove}>
      {({ id, type, title, assigned_to }) => {
        const { icon: Icon } = NODE_KINDS[type];
        return (
          <>
            <button type="button" className="link mantine-focus-auto" onClick={() => props.onOpen(id)}>
              {title}
            </button>
            <div className="board-facts">
              <Icon size={16} aria-hidden /> {t.types[type]}
            </div>
            {assigned_to && (
              <div className="board-facts">
                <Assignee entry={assigned_to} />
              </div>
            )}
          </>
        );
      }}
    </Board>
  );
}
