import type { Schemas } from '@waymark/client/api';
import { Workflow } from 'lucide-react';
import './workflow-picture.css';

const WIDTH = 72;
const HEIGHT = 44;
const EDGE = 5;
/** Nodes are drawn at most this large, and those of the widest graphs still as dots. */
const LARGEST = { width: 14, height: 7 };
const LEAST_SCALE = 0.3;
/** The distance of neighbours on the canvas, from which on nodes are drawn smaller. */
const NEAR = { x: 280, y: 120 };

/** A graph as small as a symbol; a symbol for a large one. */
export function WorkflowPicture({ picture }: { picture: Schemas['WorkflowOutline']['picture'] }) {
  if (!picture) {
    return (
      <span className="workflow-picture">
        <Workflow size={20} aria-hidden />
      </span>
    );
  }
  const { nodes, edges } = picture;
  const across = axis(
    nodes.map(({ x }) => x),
    WIDTH,
    NEAR.x / (LARGEST.width + 6),
  );
  const down = axis(
    nodes.map(({ y }) => y),
    HEIGHT,
    NEAR.y / (LARGEST.height + 6),
  );
  const scale = Math.max(LEAST_SCALE, Math.min(1, across.share, down.share));
  const [width, height] = [LARGEST.width * scale, LARGEST.height * scale];
  const at = (node: number) => ({ x: across.at(nodes[node]!.x), y: down.at(nodes[node]!.y) });
  const lines = edges.map(({ source, target }) => {
    const [from, to] = [at(source), at(target)];
    return `M${from.x} ${from.y}L${to.x} ${to.y}`;
  });
  const boxes = nodes.map((_, node) => {
    const { x, y } = at(node);
    return `M${x - width / 2} ${y - height / 2}h${width}v${height}h${-width}z`;
  });
  return (
    <svg className="workflow-picture" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path className="edges" d={lines.join('')} />
      <path className="nodes" d={boxes.join('')} />
    </svg>
  );
}

/** Fits positions into a length, centred, without enlarging them beyond `most` units to a pixel. */
function axis(positions: number[], length: number, most: number) {
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  const room = length - 2 * EDGE - LARGEST.width;
  const unitsPerPixel = Math.max(most, (last - first) / room);
  return {
    at: (position: number) => length / 2 + (position - (first + last) / 2) / unitsPerPixel,
    share: most / unitsPerPixel,
  };
}
