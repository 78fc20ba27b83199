import type { CursorCodec, Scope } from '@waymark/contracts';
import {
  type Database,
  fromDocument,
  type Indexes,
  type KeysetPage,
  keysetPage,
  type PageRequest,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import { type DatabaseSession, inSession } from './in-session.ts';

export interface ApiKeyRecord {
  id: string;
  workspace_id: string;
  name: string;
  /** SHA-256 of the plaintext, which is nowhere. */
  key_hash: string;
  key_prefix: string;
  scopes: Scope[];
  allowed_ips: string[];
  created_by: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  rotated_to: string | null;
  version: number;
}

const API_KEYS = 'api_keys';
export const apiKeyIndexes: Indexes = {
  [API_KEYS]: [
    { key: { key_hash: 1 }, unique: true },
    { key: { workspace_id: 1, _id: -1 } },
    { key: { workspace_id: 1, revoked_at: 1 } },
  ],
};

export function apiKeyStore(database: Database) {
  const apiKeys = database.collection<Stored<ApiKeyRecord>>(API_KEYS);
  const record = (found: Stored<ApiKeyRecord> | null) => found && fromDocument<ApiKeyRecord>(found);

  return {
    async byId(id: string, session?: DatabaseSession): Promise<ApiKeyRecord | null> {
      return record(await apiKeys.findOne({ _id: id }, inSession(session)));
    },

    async byHash(hash: string): Promise<ApiKeyRecord | null> {
      return record(await apiKeys.findOne({ key_hash: hash }));
    },

    page(workspaceId: string, page: PageRequest, cursors: CursorCodec): Promise<KeysetPage<ApiKeyRecord>> {
      const filter = { workspace_id: workspaceId };
      const scope = `api-keys/${workspaceId}`;
      return keysetPage<ApiKeyRecord>({
        collection: apiKeys,
        filter,
        sort: [['_id', -1]],
        page,
        cursors,
        scope,
      });
    },

    /** Keys that count against the cap: a rotated one is on its way out and has its successor counted. */
    countActive(workspaceId: string, now: string, session: DatabaseSession): Promise<number> {
      const unexpired = [{ expires_at: null }, { expires_at: { $gt: now } }];
      const filter = { workspace_id: workspaceId, revoked_at: null, rotated_to: null, $or: unexpired };
      return apiKeys.countDocuments(filter, { session });
    },

    async insert(key: ApiKeyRecord, session: DatabaseSession): Promise<void> {
      await apiKeys.insertOne(toDocument(key), { session });
    },

    /** Writes what rotation and revocation change; last_used_at moves beside it and is left alone. */
    async retire(key: ApiKeyRecord, session: DatabaseSession): Promise<void> {
      const { expires_at, revoked_at, rotated_to, version } = key;
      await apiKeys.updateOne(
        { _id: key.id },
        { $set: { expires_at, revoked_at, rotated_to, version } },
        { session },
      );
    },

    /** Unknown ids are ignored; a time never moves back. */
    async noteUse(uses: readonly { key_id: string; at: string }[]): Promise<void> {
      if (uses.length === 0) return;
      const updates = uses.map(({ key_id, at }) => ({
        updateOne: { filter: { _id: key_id }, update: { $max: { last_used_at: at } } },
      }));
      await apiKeys.bulkWrite(updates, { ordered: false });
    },
  };
}
