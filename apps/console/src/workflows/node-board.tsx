import { canvasTexts } from '../texts/canvas.ts';
import { nodesTexts as t } from '../texts/nodes.ts';
import { Board } from '../ui/list/board.tsx';
import { AddNode } from './add-node.tsx';
import { Assignee } from './canvas/node-card.tsx';
import type { NodeRecord, NodeStatus, NodeType } from './graph/graph.ts';
import { NODE_KINDS } from './node-kinds.ts';

/** The nodes of a workflow by status. */
export default function NodeBoard(props: {
  nodes: NodeRecord[];
  onMove: ((node: NodeRecord, to: NodeStatus) => void) | null;
  /** Null where the user may not add any node. */
  onAdd: ((type: NodeType, status: NodeStatus) => void) | null;
  onOpen: (id: string) => void;
}) {
  const { onAdd } = props;
  return (
    <Board
      columns={t.statuses}
      items={props.nodes}
      columnOf={({ status }) => status}
      move={props.onMove}
      add={
        onAdd &&
        ((status, name) => (
          <AddNode
            variant="subtle"
            color="gray"
            size="xs"
            mt="xs"
            aria-label={canvasTexts.addTo(name)}
            onAdd={(type) => onAdd(type, status)}
          />
        ))
      }
    >
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
