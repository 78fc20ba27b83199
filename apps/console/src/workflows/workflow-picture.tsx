import type { Schemas } from '@waymark/client/api';
import { Workflow } from 'lucide-react';
import './workflow-picture.css';

/** Of a node, and the least of the canvas that is shown. */
const NODE = { width: 220, height: 90 };
const LEAST = { width: 900, height: 500 };

/** A graph as small as a symbol; a symbol for a large one. */
export function WorkflowPicture({ picture }: { picture: Schemas['WorkflowOutline']['picture'] }) {
  if (!picture || picture.nodes.length === 0) {
    return (
      <span className="workflow-picture">
        <Workflow size={20} aria-hidden />
      </span>
    );
  }
  const { nodes, edges } = picture;
  const across = extent(nodes.map(({ x }) => x));
  const down = extent(nodes.map(({ y }) => y));
  const width = Math.max(LEAST.width, across.length + 2 * NODE.width);
  const height = Math.max(LEAST.height, down.length + 2 * NODE.height);
  const lines = edges.map(({ source, target }) => [nodes[source]!, nodes[target]!] as const);
  return (
    <svg
      className="workflow-picture"
      viewBox={`${across.middle - width / 2} ${down.middle - height / 2} ${width} ${height}`}
      aria-hidden="true"
    >
      <path
        className="edges"
        d={lines.map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join('')}
      />
      <path
        className="nodes"
        d={nodes
          .map(
            ({ x, y }) =>
              `M${x - NODE.width / 2} ${y - NODE.height / 2}h${NODE.width}v${NODE.height}h${-NODE.width}z`,
          )
          .join('')}
      />
    </svg>
  );
}

function extent(positions: number[]) {
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  return { middle: (first + last) / 2, length: last - first };
}
