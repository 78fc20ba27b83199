import type { ServiceName } from '@waymark/contracts';
import type { MongoClient } from 'mongodb';

/** Tombstones stay, so that what comes late finds that the workspace is gone. */
const KEPT = new Set(['deleted_workspaces']);

/** Where in the stores of services an id still stands, but for tombstones. */
export async function tracesOf(
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

/** The deletion's own entry and event, which belong to the user, and the tombstone in the projection. */
export const staysBehindDeletion = (trace: string) =>
  (trace.includes('workspace.delete') && trace.includes('"workspace_id":null')) ||
  (trace.startsWith('search.workspaces') && trace.includes('"deleted_at"'));
