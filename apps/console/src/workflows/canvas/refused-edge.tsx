import { BaseEdge, type EdgeProps } from '@xyflow/react';

const BEND = { x: 140, y: 150 };

/** The refused edge. It points backwards, so it is drawn around the nodes in between. */
export function RefusedEdge({ sourceX, sourceY, targetX, targetY, markerEnd }: EdgeProps) {
  const below = Math.max(sourceY, targetY) + BEND.y;
  const path = `M${sourceX},${sourceY} C${sourceX + BEND.x},${below} ${targetX - BEND.x},${below} ${targetX},${targetY}`;
  return <BaseEdge path={path} {...(markerEnd !== undefined && { markerEnd })} />;
}
