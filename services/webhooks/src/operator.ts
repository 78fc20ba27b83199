import type { Database, Stored } from '@waymark/service-kit/store';
import { type EncryptionKey, readEncryptionKeys, secretBox } from './endpoints/secret-box.ts';
import { claimStore } from './store/claims.ts';
import { ENDPOINTS, type EndpointRecord } from './store/endpoints.ts';

/**
 * Encrypts every stored secret with the first of `keys`, while services run. Returns the number of secrets
 * under another key. Throws when the key of a secret is not among `keys`.
 */
export async function reencryptSecrets(database: Database, keys: string): Promise<number> {
  const known = readEncryptionKeys(keys);
  const box = secretBox(known);
  const first = `${known[0]!.id}.`;
  const endpoints = database.collection<Stored<EndpointRecord>>(ENDPOINTS);
  let moved = 0;
  for (const field of ['secret', 'previous_secret'] as const) {
    for await (const endpoint of endpoints.find({ [field]: { $type: 'string', $ne: '' } })) {
      const encrypted = endpoint[field];
      if (!encrypted || encrypted.startsWith(first)) continue;
      const renewed = box.encrypt(endpoint._id, box.decrypt(endpoint._id, encrypted));
      // A secret that was rotated meanwhile is under the first key already.
      const own = { workspace_id: endpoint.workspace_id, _id: endpoint._id, [field]: encrypted };
      moved += (await endpoints.updateOne(own, { $set: { [field]: renewed } })).modifiedCount;
    }
  }
  return moved;
}

/** Returns how many endpoints have a secret that none of these keys decrypts; 0 for unreadable keys. */
export async function countUnreadableSecrets(database: Database, keys: string): Promise<number> {
  let known: readonly EncryptionKey[];
  try {
    known = readEncryptionKeys(keys);
  } catch {
    return 0;
  }
  const readable = new RegExp(`^(${known.map(({ id }) => id).join('|')})\\.`);
  const endpoints = database.collection<Stored<EndpointRecord>>(ENDPOINTS);
  return endpoints.countDocuments({ secret: { $type: 'string', $ne: '', $not: readable } });
}

/** The time since which the oldest due delivery waits, or null. An endpoint's own rate is no exception. */
export async function oldestDueAt(database: Database, now: string): Promise<string | null> {
  // The days of retention do not matter for reading due deliveries.
  const due = await claimStore({ database, retentionDays: 1 }).dueEndpoints(now);
  return due.map(({ due_at }) => due_at).sort()[0] ?? null;
}
