import { FIELD_SEPARATOR, fold } from '../text/fold.ts';
import type { Change } from './events.ts';
import type { Item, Kind, Payload } from './item.ts';

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
  /** Of a node: its last deletion that was heard of, 0 for none. It may be back since. */
  deleted_version: number;
  live: {
    parent: Ref | null;
    /** Of a message: the deletion of its node that it comes after, 0 for none; null where nothing has told. */
    generation: number | null;
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
  /** Deletions of nodes, by version: what belongs to an earlier life of the node goes as well. */
  gone: Map<Ref, number>;
  revision: number;
}

/** How many records of one millisecond have places of their own before they take those of the next. */
export const PLACES_PER_MS = 2048;

/** Parents before what belongs to them. */
const ORDER: readonly Kind[] = ['workflow', 'node', 'message', 'decision'];

/**
 * What a batch of changes makes of the records that it touches. `known` has their state and that of their parents; the
 * order of the changes does not matter, nor how often each comes.
 */
export function planProjection(
  changes: readonly Change[],
  known: ReadonlyMap<Ref, ProjectedItem>,
  revision: number,
): ProjectionPlan {
  const states = new Map(known);
  const plan: ProjectionPlan = { writes: [], gone: new Map(), revision };
  for (const { change, deleted } of latest(changes)) {
    const ref = refOf(change);
    const old = states.get(ref);
    const knownDeletion = old?.deleted_version ?? 0;
    const deleted_version = Math.max(deleted, knownDeletion);
    const buries = deleted_version > knownDeletion;
    const isLate = old && change.version <= old.version && old.revision !== change.instead;
    if (isLate && !buries) continue;
    const item = isOrphan(change, states) ? null : change.item;
    const revised = { deleted_version, revision: plan.revision + 1 };
    const next = isLate
      ? { ...old, ...revised }
      : { ...projected(change, item, old, revised.revision), ...revised };
    states.set(ref, next);
    if (old && !buries && isSame(old, next)) {
      if (old.version !== next.version) plan.writes.push({ ...next, revision: old.revision });
      continue;
    }
    plan.writes.push(next);
    plan.revision = next.revision;
    if (buries) plan.gone.set(ref, deleted_version);
  }
  return plan;
}

/** Whether the node of a message has been deleted since: it may be back, or its return may be told later. */
function isOrphan({ item, generation }: Change, states: ReadonlyMap<Ref, ProjectedItem>): boolean {
  const parent = item?.parent && states.get(refOf(item.parent));
  if (!parent) return false;
  return generation === undefined ? !parent.live : parent.deleted_version > generation;
}

/** The last change of each record, parents first, and of a node the last deletion, 0 for none. */
function latest(changes: readonly Change[]): { change: Change; deleted: number }[] {
  const last = new Map<Ref, { change: Change; deleted: number }>();
  for (const change of changes) {
    const ref = refOf(change);
    const other = last.get(ref);
    const deletion = change.kind === 'node' && !change.item ? change.version : 0;
    last.set(ref, {
      change: !other || change.version > other.change.version ? change : other.change,
      deleted: Math.max(deletion, other?.deleted ?? 0),
    });
  }
  return [...last.values()].sort((a, b) => ORDER.indexOf(a.change.kind) - ORDER.indexOf(b.change.kind));
}

function projected(
  { kind, id, version, generation }: Change,
  item: Item | null,
  old: ProjectedItem | undefined,
  revision: number,
): Pick<ProjectedItem, 'kind' | 'id' | 'version' | 'live'> {
  if (!item) return { kind, id, version, live: null };
  const createdMs = Date.parse(item.created_at);
  const payload: Payload = { fields: item.fields, shown: item.shown };
  const live = {
    parent: item.parent && refOf(item.parent),
    generation: generation ?? null,
    created_ms: createdMs,
    // What was deleted and put back is a new record, though its id is the old one.
    position: old?.live?.created_ms === createdMs ? old.live.position : null,
    preferred: createdMs * PLACES_PER_MS + (revision % PLACES_PER_MS),
    folded: item.fields.map(([, text]) => fold(text)).join(FIELD_SEPARATOR),
    payload: JSON.stringify(payload),
  };
  return { kind, id, version, live };
}

/** Whether a search could tell them apart, now or when a node is deleted. */
function isSame({ live: a }: ProjectedItem, { live: b }: ProjectedItem): boolean {
  if (!a || !b) return a === b;
  const fields = ['payload', 'folded', 'parent', 'generation', 'created_ms'] as const;
  return fields.every((field) => a[field] === b[field]);
}
