import { FIELD_SEPARATOR, fold } from '../text/fold.ts';
import type { Change } from './events.ts';
import { type Item, isTopic, type Kind, type Payload } from './item.ts';

/** `kind/id`: unique in a workspace. */
export type Ref = string;
export const refOf = ({ kind, id }: { kind: Kind; id: string }): Ref => `${kind}/${id}`;

/** A record in the projection; without `live` it is a tombstone, which makes late events recognizable. */
export interface ProjectedItem {
  kind: Kind;
  id: string;
  version: number;
  /** The workspace's revision at the last change of this record that a search can notice. */
  revision: number;
  /** The latest known deletion of a node or decision, 0 for none. It may have been restored since. */
  deleted_version: number;
  live: {
    parent: Ref | null;
    /** For a message, the deletion of its topic that precedes it, 0 for none. */
    generation: number;
    created_ms: number;
    /** Null until the store assigns the preferred position or a free one near it. */
    position: number | null;
    preferred: number;
    folded: string;
    payload: string;
  } | null;
}

export interface ProjectionPlan {
  writes: ProjectedItem[];
  /** Deletions of nodes and decisions, by version: messages that precede them are deleted as well. */
  deletedTopics: Map<Ref, number>;
  revision: number;
}

/** Records of one millisecond beyond this number take positions of the following milliseconds. */
export const POSITIONS_PER_MS = 2048;

/** Parents before their children. */
const ORDER: readonly Kind[] = ['workflow', 'node', 'message', 'decision', 'decision_message'];

/** Returns the effect of changes, in any order, on `known`: the stored records and their parents. */
export function planProjection(
  changes: readonly Change[],
  known: ReadonlyMap<Ref, ProjectedItem>,
  revision: number,
): ProjectionPlan {
  const states = new Map(known);
  const plan: ProjectionPlan = { writes: [], deletedTopics: new Map(), revision };
  for (const { change, deleted } of latest(changes)) {
    const ref = refOf(change);
    const old = states.get(ref);
    const knownDeletion = old?.deleted_version ?? 0;
    const deleted_version = Math.max(deleted, knownDeletion);
    const isNewDeletion = deleted_version > knownDeletion;
    const isLate = old && change.version <= old.version && old.revision !== change.replaces;
    if (isLate && !isNewDeletion) continue;
    const item = isOrphan(change, states) ? null : change.item;
    const revised = { deleted_version, revision: plan.revision + 1 };
    const next = isLate
      ? { ...old, ...revised }
      : { ...projected(change, item, old, revised.revision), ...revised };
    states.set(ref, next);
    if (old && !isNewDeletion && isSame(old, next)) {
      if (old.version !== next.version) plan.writes.push({ ...next, revision: old.revision });
      continue;
    }
    plan.writes.push(next);
    plan.revision = next.revision;
    if (isNewDeletion) plan.deletedTopics.set(ref, deleted_version);
  }
  return plan;
}

/** Whether the topic of a message has been deleted since the message, even if it was restored. */
function isOrphan({ item, generation = 0 }: Change, states: ReadonlyMap<Ref, ProjectedItem>): boolean {
  const parent = item?.parent && states.get(refOf(item.parent));
  return parent ? parent.deleted_version > generation : false;
}

/** The last change of each record, parents first, and the version of a topic's last deletion, 0 for none. */
function latest(changes: readonly Change[]): { change: Change; deleted: number }[] {
  const last = new Map<Ref, { change: Change; deleted: number }>();
  for (const change of changes) {
    const ref = refOf(change);
    const other = last.get(ref);
    const deletion = isTopic(change.kind) && !change.item ? change.version : 0;
    last.set(ref, {
      change: !other || change.version > other.change.version ? change : other.change,
      deleted: Math.max(deletion, other?.deleted ?? 0),
    });
  }
  return [...last.values()].sort((a, b) => ORDER.indexOf(a.change.kind) - ORDER.indexOf(b.change.kind));
}

function projected(
  { kind, id, version, generation = 0 }: Change,
  item: Item | null,
  old: ProjectedItem | undefined,
  revision: number,
): Pick<ProjectedItem, 'kind' | 'id' | 'version' | 'live'> {
  if (!item) return { kind, id, version, live: null };
  const createdMs = Date.parse(item.created_at);
  const { fields, shown } = item;
  const live = {
    parent: item.parent && refOf(item.parent),
    generation,
    created_ms: createdMs,
    // A restored record keeps its id but has a new time, so it gets a new position.
    position: old?.live?.created_ms === createdMs ? old.live.position : null,
    preferred: createdMs * POSITIONS_PER_MS + (revision % POSITIONS_PER_MS),
    folded: fields.map(([, text]) => fold(text)).join(FIELD_SEPARATOR),
    payload: JSON.stringify({ fields, shown } satisfies Payload),
  };
  return { kind, id, version, live };
}

/** Whether no search can distinguish two records, now or after a topic is deleted. */
function isSame({ live: a }: ProjectedItem, { live: b }: ProjectedItem): boolean {
  if (!a || !b) return a === b;
  const fields = ['payload', 'folded', 'parent', 'generation', 'created_ms'] as const;
  return fields.every((field) => a[field] === b[field]);
}
