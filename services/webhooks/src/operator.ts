import type { Database, Stored } from '@waymark/service-kit/store';
import { type EncryptionKey, readEncryptionKeys, secretBox } from './endpoints/secret-box.ts';
import { claimStore } from './store/claims.ts';
import { ENDPOINTS, type EndpointRecord } from './store/endpoints.ts';

/**
 * Encrypts every stored secret with the first of `keys`, while services run. Returns how many were under
 * another key. Throws when a secret's key is not among them.
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

/** Since when the oldest due delivery is due, or null; also one that its endpoint's own rate holds back. */
export async function oldestDueAt(database: Database, now: string): Promise<string | null> {
  // Retention has no part in what is due.
  const due = await claimStore({ database, retentionDays: 1 }).dueEndpoints(now);
  return due.map(({ due_at }) => due_at).sort()[0] ?? null;
}
