import type { CallInternal } from '@waymark/service-kit/http';
import type { Change } from './projection/events.ts';
import {
  decisionItem,
  type Item,
  type Kind,
  messageItem,
  nodeItem,
  SearchedDecision,
  workflowItem,
} from './projection/item.ts';
import type { SearchStore, StoredItem } from './store/index.ts';

const PAGE_ITEMS = 100;

type SnapshotRecord = Pick<Change, 'version' | 'generation'> & { item: Item };
type ReadPage = (call: CallInternal, query: { after?: string; limit: number }) => Promise<SnapshotRecord[]>;

/** How to read a page of each kind from its data service; parents first. */
const snapshots: Record<Kind, ReadPage> = {
  workflow: async (call, query) => recordsOf(await call('snapshotWorkflows', { query }), workflowItem),
  node: async (call, query) => recordsOf(await call('snapshotNodes', { query }), nodeItem),
  decision: async (call, query) =>
    recordsOf(await call('snapshotDecisions', { query }), (decision) =>
      decisionItem(SearchedDecision.parse(decision)),
    ),
  message: readMessages,
  decision_message: readMessages,
};

/** Reads messages of both kinds. */
async function readMessages(...[call, query]: Parameters<ReadPage>): Promise<SnapshotRecord[]> {
  const { data } = await call('snapshotMessages', { query });
  return data.map(({ workspace_id, version, generation, message }) => {
    return { version, generation, item: messageItem(message, workspace_id) };
  });
}

function recordsOf<T extends { version: number }>(page: { data: T[] }, itemOf: (record: T) => Item) {
  return page.data.map((record): SnapshotRecord => ({ version: record.version, item: itemOf(record) }));
}

export interface Rebuilt {
  kind: Kind;
  /** Records in the snapshot. */
  read: number;
  /** Records that the projection held and the snapshot does not. */
  removed: number;
}

/** Makes the projection equal to the data services' records. Safe to repeat. Throws SERVICE_UNAVAILABLE. */
export async function* rebuildProjection(
  store: Pick<SearchStore, 'storedAfter' | 'project' | 'renewIndexes'>,
  call: CallInternal,
): AsyncGenerator<Rebuilt> {
  for (const kind of Object.keys(snapshots) as Kind[]) yield await rebuildKind(store, kind, call);
  await store.renewIndexes();
}

async function rebuildKind(
  store: Pick<SearchStore, 'storedAfter' | 'project'>,
  kind: Kind,
  call: CallInternal,
): Promise<Rebuilt> {
  const rebuilt = { kind, read: 0, removed: 0 };
  for (let after: string | null = ''; after !== null; ) {
    // Reads the stored items first, so that the snapshot is at least as new and may replace these items.
    const stored = await store.storedAfter(kind, after, PAGE_ITEMS);
    const page = await snapshots[kind](call, { ...(after && { after }), limit: PAGE_ITEMS });
    const until = earlier(page.at(-1)?.item.id, stored.length < PAGE_ITEMS ? undefined : stored.at(-1)!.id);
    const isCovered = ({ id }: { id: string }) => until === null || id <= until;
    const records = page.filter(({ item }) => item.kind === kind && isCovered(item));
    const { changes, removedCount } = differences(kind, stored.filter(isCovered), records);
    for (const [workspaceId, ofWorkspace] of changes) await store.project(workspaceId, ofWorkspace);
    rebuilt.read += records.length;
    rebuilt.removed += removedCount;
    after = until;
  }
  return rebuilt;
}

/** Returns, by workspace, the changes that turn the stored items into the records. */
function differences(kind: Kind, stored: StoredItem[], records: SnapshotRecord[]) {
  const changes = new Map<string, Change[]>();
  const add = (workspaceId: string, change: Change) =>
    changes.set(workspaceId, [...(changes.get(workspaceId) ?? []), change]);
  const keyOf = (item: { workspace_id: string; id: string }) => `${item.workspace_id}/${item.id}`;
  const unmatched = new Map(stored.map((item) => [keyOf(item), item]));
  for (const { version, generation, item } of records) {
    const old = unmatched.get(keyOf(item));
    unmatched.delete(keyOf(item));
    const change = { kind, id: item.id, version, item, generation };
    add(item.workspace_id, { ...change, ...(old && { replaces: old.revision }) });
  }
  const removed = [...unmatched.values()].filter(({ position }) => position !== undefined);
  for (const { workspace_id, id, version, revision } of removed) {
    add(workspace_id, { kind, id, version, item: null, replaces: revision });
  }
  return { changes, removedCount: removed.length };
}

function earlier(a: string | undefined, b: string | undefined): string | null {
  if (a === undefined || b === undefined) return a ?? b ?? null;
  return a < b ? a : b;
}
