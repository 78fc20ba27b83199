import { Tooltip } from '@mantine/core';
import type { WorkflowViewer } from '../api/live-events.ts';
import { canvasTexts as t } from '../texts/canvas.ts';
import { initialsOf } from '../ui/avatar.tsx';
import type { Graph } from './graph/graph.ts';

const SHOWN_MAX = 4;

/** The others who view the workflow now: their initials, with the name and the selected node on hover. */
export function Viewers({ viewers, nodes }: { viewers: WorkflowViewer[]; nodes: Graph['nodes'] }) {
  if (viewers.length === 0) return null;
  const wordsOf = ({ name, node_id }: WorkflowViewer) => {
    const node = node_id === null ? undefined : nodes.get(node_id);
    return node ? t.viewerAt(name, node.title) : name;
  };
  const hidden = viewers.slice(SHOWN_MAX);
  return (
    <ul className="workflow-viewers" aria-label={t.viewers}>
      {viewers.slice(0, SHOWN_MAX).map((viewer) => (
        <Tooltip key={viewer.user_id} label={wordsOf(viewer)} multiline maw={320}>
          <li className="avatar">
            <span aria-hidden>{initialsOf(viewer.name)}</span>
            <span className="workflow-viewer-name">{wordsOf(viewer)}</span>
          </li>
        </Tooltip>
      ))}
      {hidden.length > 0 && (
        <Tooltip label={hidden.map(wordsOf).join('; ')} multiline maw={320}>
          <li className="avatar">
            <span aria-hidden>+{hidden.length}</span>
            <span className="workflow-viewer-name">{hidden.map(wordsOf).join('; ')}</span>
          </li>
        </Tooltip>
      )}
    </ul>
  );
}
