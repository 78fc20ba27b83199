import { Panel, type ReactFlowState, useStore, ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import { canvasTexts as t } from '../../texts/canvas.ts';
import { NODE_KINDS } from '../node-kinds.ts';
import { CARD_HEIGHT, CARD_WIDTH, type FlowEdge, type FlowNode } from './flow-elements.ts';

/** Below this zoom, cards are not readable. */
const READABLE_ZOOM = 0.3;
/** The number of cards that a slow machine can pan smoothly. */
const CARDS_MAX = 250;

/** Returns a selector for `useStore`: whether to draw a workflow of this size in the simplified view. */
export function isFar(count: number): (state: ReactFlowState) => boolean {
  // The zoom is unknown before the first fit.
  return ({ transform, fitViewQueued }) =>
    count > CARDS_MAX && (fitViewQueued || transform[2] < READABLE_ZOOM);
}

/** The simplified view of a large workflow: a few paths instead of thousands of cards. */
export const FarView = memo(function FarView({ nodes, edges }: { nodes: FlowNode[]; edges: FlowEdge[] }) {
  const shapes = useMemo(() => shapesOf(nodes), [nodes]);
  const lines = useMemo(() => linesOf(nodes, edges), [nodes, edges]);
  // Compensate the canvas scale so that lines have the same width at any zoom.
  const pixel = 1 / useStore(({ transform }) => transform[2]);
  return (
    <>
      <ViewportPortal>
        <svg className="far-view" width={1} height={1} aria-hidden>
          <path className="far-edges" d={lines.plain} strokeWidth={pixel} />
          <path className="far-edges in-cycle" d={lines.inCycle} strokeWidth={2 * pixel} />
          {[...shapes].map(([color, d]) => (
            <path key={color} d={d} fill={`var(--mantine-color-${color}-6)`} />
          ))}
        </svg>
      </ViewportPortal>
      <Panel position="top-center" className="far-note">
        {t.far}
      </Panel>
    </>
  );
});

/** The outlines of the nodes by colour. */
function shapesOf(nodes: FlowNode[]): Map<string, string> {
  const outlines = new Map<string, string[]>();
  for (const { position, data } of nodes) {
    const { color } = NODE_KINDS[data.record.type];
    const outline = `M${position.x} ${position.y}h${CARD_WIDTH}v${CARD_HEIGHT}h${-CARD_WIDTH}z`;
    const known = outlines.get(color);
    if (known) known.push(outline);
    else outlines.set(color, [outline]);
  }
  return new Map([...outlines].map(([color, parts]) => [color, parts.join('')]));
}

function linesOf(nodes: FlowNode[], edges: FlowEdge[]): { plain: string; inCycle: string } {
  const places = new Map(nodes.map(({ id, position }) => [id, position]));
  const lines = { plain: '', inCycle: '' };
  for (const { source, target, className } of edges) {
    const [from, to] = [places.get(source), places.get(target)];
    if (!from || !to) continue;
    const line = `M${from.x + CARD_WIDTH} ${from.y + CARD_HEIGHT / 2}L${to.x} ${to.y + CARD_HEIGHT / 2}`;
    lines[className?.includes('in-cycle') ? 'inCycle' : 'plain'] += line;
  }
  return lines;
}
