import { ApiError, type Message, type Thread } from '@waymark/contracts';
import type { ImportPortion, StoredOrLeftOut } from '@waymark/data-transfer';
import { eventBatches } from '@waymark/service-kit/events';
import type { ThreadsContext } from '../context.ts';
import type { LiveNode } from '../records.ts';

const LOOKUPS_AT_ONCE = 16;

/** Stores threads with their ids and times. Skips threads of deleted nodes. */
export async function importThreads(service: ThreadsContext, portion: ImportPortion & { threads: Thread[] }) {
  const { imports, storePortion } = service;
  const { workspace_id, threads } = portion;
  const ids = threads.map(({ node_id }) => node_id);
  const nodes = await findNodes(service, workspace_id, ids);
  return storePortion(portion, (tx) => imports.insertThreads(workspace_id, threads, nodes, tx.session));
}

/** Stores messages with their ids, authors and times. Skips messages of deleted nodes. */
export function importMessages(
  { imports, storePortion, now }: ThreadsContext,
  portion: ImportPortion & { messages: Message[] },
): Promise<StoredOrLeftOut> {
  return storePortion(portion, async (tx) => {
    const { workspace_id, messages } = portion;
    // Higher than any version that a deleted message had, because those versions are not stored.
    const version = now();
    const stored = await imports.insertMessages(workspace_id, messages, version, tx.session);
    const { fresh, generations, left_out } = stored;
    for (const batch of eventBatches(fresh)) {
      const subject = { type: 'workspace' as const, id: workspace_id, version: 1 };
      const ofNodes = batch.map(({ node_id }) => [node_id, generations.get(node_id)!] as const);
      const data = { messages: batch, version, generations: Object.fromEntries(ofNodes) };
      tx.emit('messages.imported', { subject, data, action: null });
    }
    return { stored: fresh.length, left_out };
  });
}

async function findNodes({ nodes }: ThreadsContext, workspaceId: string, ids: string[]) {
  const found = new Map<string, LiveNode>();
  const lookUp = async (id: string) => {
    const node = await nodes.findCurrent(id).catch(nullIfMissing);
    if (node?.workspace_id === workspaceId) found.set(id, node);
  };
  for (let at = 0; at < ids.length; at += LOOKUPS_AT_ONCE) {
    await Promise.all(ids.slice(at, at + LOOKUPS_AT_ONCE).map(lookUp));
  }
  return found;
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
  throw error;
}
