import { BaseEdge, type EdgeProps, getBezierPath, type Node, Position, useStore } from '@xyflow/react';
import { useMemo } from 'react';
import { CARD_HEIGHT, CARD_WIDTH, type FlowEdge } from './flow-elements.ts';

/** Beside a card, in the gap between rows. */
const BESIDE = CARD_HEIGHT / 2 + 18;
/** The least distance between cards for an edge from the right side of one to the left side of another. */
const AHEAD = 20;
const RADIUS = 12;

type Ends = Record<'sourceX' | 'sourceY' | 'targetX' | 'targetY', number>;
type Point = readonly [x: number, y: number];

/** An edge that runs around cards instead of through them, also where it leads back. */
export function RoutedEdge(props: EdgeProps<FlowEdge>) {
  const { sourceX, sourceY, targetX, targetY, label, markerEnd, interactionWidth = 20 } = props;
  const letters = typeof label === 'string' ? label.length : 0;
  const nodes = useStore((state) => state.nodes);
  const [path, labelX, labelY] = useMemo(() => {
    const ends = { sourceX, sourceY, targetX, targetY };
    const [line, x, y] = isDirect(ends, nodes) ? directPath(ends) : pathAround(ends, nodes);
    return [line, ...(letters === 0 ? [x, y] : labelPlace([x, y], letters * HALF_LETTER, nodes))] as const;
  }, [sourceX, sourceY, targetX, targetY, letters, nodes]);
  return (
    <BaseEdge
      path={path}
      labelX={labelX}
      labelY={labelY}
      label={label}
      interactionWidth={interactionWidth}
      {...(markerEnd !== undefined && { markerEnd })}
    />
  );
}

const isAhead = ({ sourceX, targetX }: Ends) => targetX >= sourceX + AHEAD;
const isBelow = ({ sourceY, targetY }: Ends) => targetY - sourceY > CARD_HEIGHT;
const isDirect = (ends: Ends, nodes: readonly Node[]) =>
  isAhead(ends)
    ? !isHidden(ends, nodes)
    : isBelow(ends) && Math.abs(ends.targetX + CARD_WIDTH - ends.sourceX) < CARD_WIDTH;

/** The parts of a curve to the right at which it is compared with cards. */
const PARTS = Array.from({ length: 47 }, (_, i) => (i + 1) / 48);

/** Whether a card covers the curve of an edge to the right. */
function isHidden({ sourceX, sourceY, targetX, targetY }: Ends, nodes: readonly Node[]): boolean {
  const [width, height] = [targetX - sourceX, targetY - sourceY];
  const middle: Point = [sourceX + width / 2, sourceY + height / 2];
  const near = nodes.filter((node) => isCovered(node, middle, width / 2, Math.abs(height) / 2));
  if (near.length === 0) return false;
  // The curve of `getBezierPath`, whose control points are both half way to the target.
  const points = PARTS.map((at): Point => {
    const eased = at * at * (3 - 2 * at);
    const across = 1.5 * at * (1 - at) + at ** 3;
    return [sourceX + width * across, sourceY + height * eased];
  });
  return near.some((node) => points.some((point) => isCovered(node, point, AHEAD / 2, AHEAD / 2)));
}

/** To the right, or from the lower side of a card to the upper side of one below. */
function directPath(ends: Ends) {
  const { sourceX, sourceY, targetX, targetY } = ends;
  if (isAhead(ends))
    return getBezierPath({ ...ends, sourcePosition: Position.Right, targetPosition: Position.Left });
  return getBezierPath({
    ...{ sourceX: sourceX - CARD_WIDTH / 2, sourceY: sourceY + CARD_HEIGHT / 2 },
    ...{ targetX: targetX + CARD_WIDTH / 2, targetY: targetY - CARD_HEIGHT / 2 },
    ...{ sourcePosition: Position.Bottom, targetPosition: Position.Top },
  });
}

/** The heights, in the gaps beside the source and the target, at which an edge turns. */
function turnsOf(ends: Ends): [out: number, back: number] {
  const { sourceY, targetY } = ends;
  if (isBelow(ends)) return [sourceY + BESIDE, targetY - BESIDE];
  if (sourceY - targetY > CARD_HEIGHT) return [sourceY - BESIDE, targetY + BESIDE];
  const below = Math.max(sourceY, targetY) + BESIDE;
  return [below, below];
}

/** Returns where, to the right of the source, no card is between the heights of the turns. */
function laneOf({ sourceX }: Ends, turns: readonly number[], nodes: readonly Node[]): number {
  const [top, bottom] = [Math.min(...turns), Math.max(...turns)];
  const between = nodes
    .map(({ position }) => position)
    .filter(({ y }) => y < bottom && y + CARD_HEIGHT > top)
    .toSorted((a, b) => a.x - b.x);
  let lane = sourceX + AHEAD;
  for (const { x } of between)
    if (x - AHEAD / 2 < lane && lane < x + CARD_WIDTH + AHEAD / 2) lane = x + CARD_WIDTH + AHEAD;
  return lane;
}

/**
 * Returns the height nearest to `height`, below or above it, at which a line between `left` and `right`
 * covers no card.
 */
function freeHeight(height: number, isBelow: boolean, left: number, right: number, nodes: readonly Node[]) {
  const sign = isBelow ? 1 : -1;
  const middles = nodes
    .filter(({ position: { x } }) => x < right && x + CARD_WIDTH > left)
    .map(({ position: { y } }) => y + CARD_HEIGHT / 2)
    .toSorted((a, b) => sign * (a - b));
  let free = height;
  for (const middle of middles)
    if (Math.abs(free - middle) < CARD_HEIGHT / 2 + AHEAD / 2) free = middle + sign * BESIDE;
  return free;
}

/** With some space. */
const HALF_LETTER = 4;
const HALF_LINE = 14;
/** A label beside the middle of its edge reaches over it, at most to the next card at the least distance. */
const OVERLAP = AHEAD / 2;
const REACH = 88;
/** From the middle downwards and upwards in turn. */
const STEPS = Array.from({ length: REACH / 4 + 1 }, (_, i) => Math.ceil(i / 2) * (i % 2 === 0 ? -8 : 8));

/** Returns the place nearest to the middle of an edge where its label, on or beside it, covers no card. */
function labelPlace(middle: Point, half: number, nodes: readonly Node[]): Point {
  const near = nodes.filter((node) => isCovered(node, middle, 2 * half + OVERLAP, REACH + HALF_LINE));
  const [x, y] = middle;
  const aside = half - OVERLAP;
  const places = STEPS.flatMap((step) => [0, -aside, aside].map((by): Point => [x + by, y + step]));
  return places.find((place) => !near.some((node) => isCovered(node, place, half, HALF_LINE))) ?? middle;
}

/** Whether a box with its middle there covers a part of the card. */
function isCovered({ position }: Node, [x, y]: Point, halfWidth: number, halfHeight: number): boolean {
  const isBeside = Math.abs(position.x + CARD_WIDTH / 2 - x) >= CARD_WIDTH / 2 + halfWidth;
  return !isBeside && Math.abs(position.y + CARD_HEIGHT / 2 - y) < CARD_HEIGHT / 2 + halfHeight;
}

function pathAround(ends: Ends, nodes: readonly Node[]): [path: string, labelX: number, labelY: number] {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const beside = turnsOf(ends);
  const right = laneOf(ends, beside, nodes);
  const out = freeHeight(beside[0], beside[0] > sourceY, sourceX, right, nodes);
  const back = freeHeight(beside[1], beside[1] > targetY, targetX - AHEAD, right, nodes);
  const lane = laneOf(ends, [out, back], nodes);
  const corners: Point[] = [
    [sourceX, sourceY],
    [sourceX + AHEAD, sourceY],
    [sourceX + AHEAD, out],
    [lane, out],
    [lane, back],
    [targetX - AHEAD, back],
    [targetX - AHEAD, targetY],
    [targetX, targetY],
  ];
  const points = corners.filter(
    ([x, y], i) => i === 0 || x !== corners[i - 1]![0] || y !== corners[i - 1]![1],
  );
  const [first, last] = [points[0]!, points.at(-1)!];
  const turns = points.slice(1, -1).map((point, i) => {
    const [before, after] = [towards(point, points[i]!), towards(point, points[i + 2]!)];
    return `L${before.join()} Q${point.join()} ${after.join()}`;
  });
  return [`M${first.join()} ${turns.join(' ')} L${last.join()}`, lane, (out + back) / 2];
}

/** Returns the point where the rounded corner at `corner` begins on the way to `other`. */
function towards([x, y]: Point, [otherX, otherY]: Point): Point {
  const length = Math.hypot(otherX - x, otherY - y);
  const share = Math.min(RADIUS, length / 2) / length;
  return [x + (otherX - x) * share, y + (otherY - y) * share];
}
