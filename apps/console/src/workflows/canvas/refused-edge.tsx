import { BaseEdge, type EdgeProps } from '@xyflow/react';

const BEND = { x: 140, y: 150 };

/** The edge that was refused: it leads back, so it goes around below rather than through what lies between. */
export function RefusedEdge({ sourceX, sourceY, targetX, targetY, markerEnd }: EdgeProps) {
  const below = Math.max(sourceY, targetY) + BEND.y;
  const path = `M${sourceX},${sourceY} C${sourceX + BEND.x},${below} ${targetX - BEND.x},${below} ${targetX},${targetY}`;
  return <BaseEdge path={path} {...(markerEnd !== undefined && { markerEnd })} />;
}
