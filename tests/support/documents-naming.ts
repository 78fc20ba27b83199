import type { ServiceName } from '@waymark/contracts';
import type { MongoClient } from 'mongodb';

/** Tombstones stay, so that late events find that the workspace was deleted. */
const KEPT = new Set(['deleted_workspaces']);

/** All stored documents of the services that contain an id, without tombstones. */
export async function documentsNaming(
  mongo: MongoClient,
  databases: readonly { service: ServiceName; name: string }[],
  id: string,
): Promise<string[]> {
  const traces: string[] = [];
  for (const { service, name: database } of databases) {
    for (const { name } of await mongo.db(database).listCollections().toArray()) {
      if (KEPT.has(name)) continue;
      for await (const document of mongo.db(database).collection(name).find()) {
        const text = JSON.stringify(document);
        if (text.includes(id)) traces.push(`${service}.${name} ${text}`);
      }
    }
  }
  return traces;
}

/**
 * The audit entry and event of the deletion, which belong to the user, and the tombstone in the search
 * projection.
 */
export const remainsAfterDeletion = (trace: string) =>
  (trace.includes('workspace.delete') && trace.includes('"workspace_id":null')) ||
  (trace.startsWith('search.workspaces') && trace.includes('"deleted_at"'));
