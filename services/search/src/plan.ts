import type { Change } from './events.ts';
import type { Payload } from './find-hits.ts';
import { FIELD_SEPARATOR, fold } from './fold.ts';
import type { Item, Kind } from './item.ts';

/** `kind/id`: unique in a workspace. */
export type Ref = string;
export const refOf = ({ kind, id }: { kind: Kind; id: string }): Ref => `${kind}/${id}`;

/** A record as the projection holds it; without `live` it is a tombstone, which late events find. */
export interface ProjectedItem {
  kind: Kind;
  id: string;
  version: number;
  /** Of the workspace, at its last change that a search can notice. */
  revision: number;
  live: {
    parent: Ref | null;
    created_ms: number;
    /** Null until it is given the place that is preferred, or the next free one. */
    position: number | null;
    preferred: number;
    folded: string;
    payload: string;
  } | null;
}

export interface ProjectionPlan {
  writes: ProjectedItem[];
  /** What has become a tombstone: what belongs to it goes as well. */
  gone: Ref[];
  revision: number;
}

/** How many records of one millisecond have places of their own before they take those of the next. */
export const PLACES_PER_MS = 2048;

/** Parents before what belongs to them. */
const ORDER: readonly Kind[] = ['workflow', 'node', 'message', 'decision'];
const hasParts = (kind: Kind) => kind === 'workflow' || kind === 'node';

/**
 * What a batch of changes makes of the records that it touches. `known` has their state and that of their parents; the
 * order of the changes does not matter, nor how often each comes.
 */
export function planProjection(
  changes: readonly Change[],
  known: ReadonlyMap<Ref, ProjectedItem>,
  revision: number,
): ProjectionPlan {
  const dead = new Set([...known].filter(([, { live }]) => !live).map(([ref]) => ref));
  const plan: ProjectionPlan = { writes: [], gone: [], revision };
  for (const change of latest(changes)) {
    const ref = refOf(change);
    const old = known.get(ref);
    if (old && change.version <= old.version && old.revision !== change.instead) continue;
    const isOrphan = change.item?.parent && dead.has(refOf(change.item.parent));
    const next = projected(change, isOrphan ? null : change.item, old, plan.revision + 1);
    if (next.live) dead.delete(ref);
    else dead.add(ref);
    if (!next.live && (!old || old.live) && hasParts(change.kind)) plan.gone.push(ref);
    if (old && isSame(old, next)) {
      if (old.version !== next.version) plan.writes.push({ ...next, revision: old.revision });
      continue;
    }
    plan.writes.push(next);
    plan.revision = next.revision;
  }
  return plan;
}

/** The last change of each record, parents first. */
function latest(changes: readonly Change[]): Change[] {
  const last = new Map<Ref, Change>();
  for (const change of changes) {
    const other = last.get(refOf(change));
    if (!other || change.version > other.version) last.set(refOf(change), change);
  }
  return [...last.values()].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

function projected(
  { kind, id, version }: Change,
  item: Item | null,
  old: ProjectedItem | undefined,
  revision: number,
): ProjectedItem {
  if (!item) return { kind, id, version, revision, live: null };
  const createdMs = Date.parse(item.created_at);
  const payload: Payload = { fields: item.fields, shown: item.shown };
  const live = {
    parent: item.parent && refOf(item.parent),
    created_ms: createdMs,
    // What was deleted and put back is a new record, though its id is the old one.
    position: old?.live?.created_ms === createdMs ? old.live.position : null,
    preferred: createdMs * PLACES_PER_MS + (revision % PLACES_PER_MS),
    folded: item.fields.map(([, text]) => fold(text)).join(FIELD_SEPARATOR),
    payload: JSON.stringify(payload),
  };
  return { kind, id, version, revision, live };
}

/** Whether a search could tell them apart. */
function isSame({ live: a }: ProjectedItem, { live: b }: ProjectedItem): boolean {
  if (!a || !b) return a === b;
  const fields = ['payload', 'folded', 'parent', 'created_ms'] as const;
  return fields.every((field) => a[field] === b[field]);
}
