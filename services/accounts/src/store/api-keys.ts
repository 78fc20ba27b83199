import { type ApiKey, apiKeyDefaults } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  type PageRequest,
  recordCollection,
} from '@waymark/service-kit/store';
import type { SecondFactor } from './sessions.ts';

/** The further fields of a key that a person has granted a program: its secrets change. */
export interface GrantState {
  client_id: string;
  redirect_uri: string;
  /** Null once the code has been exchanged. */
  code_challenge: string | null;
  /** SHA-256 of the part that the code and all refresh tokens share. */
  family_hash: string;
  /** SHA-256 of the only code or refresh token that is valid. */
  next_hash: string;
  access_expires_at: string | null;
  /** The factor of the session that gave the access, beside the password. */
  second_factor: SecondFactor | null;
}

export interface ApiKeyRecord extends ApiKey {
  /** SHA-256 of the key; the key itself is not stored. */
  key_hash: string;
  version: number;
  /** Whether its expiry was reported. */
  is_expiry_told?: boolean;
  /** `key_hash` is that of the access token, and `expires_at` that of the code or refresh token. */
  grant?: GrantState;
}

/** Selects the keys of a person, of a workspace, or of a person there. */
export type SettingsOf = Pick<ApiKeyRecord, 'created_by'> | Pick<ApiKeyRecord, 'workspace_id'>;

export interface ApiKeyPageRequest extends PageRequest {
  service_account_id?: string | undefined;
}

const EXPIRING_MAX = 100;
const NO_GRANT = { $exists: false };
const unexpired = (now: string) => [{ expires_at: null }, { expires_at: { $gt: now } }];

export function apiKeyStore(database: Database) {
  const { byId, insert, ...apiKeys } = recordCollection<ApiKeyRecord>(database, 'api_keys', {
    defaults: apiKeyDefaults,
  });
  return {
    byId,
    insert,

    /**
     * The keys that end with a member or a service account: its own, and those without a service account that
     * it created. The keys that it created for another service account are those of that one. Without
     * expired keys: they have ended, and there may be more of them than one transaction can change.
     */
    activeOf(
      { workspace_id, id }: { workspace_id: string; id: string },
      now: string,
      session: DatabaseSession,
    ) {
      const own = [{ service_account_id: id }, { created_by: id, service_account_id: null }];
      return apiKeys.find(
        { workspace_id, revoked_at: null, $and: [{ $or: own }, { $or: unexpired(now) }] },
        { sort: { _id: 1 }, session },
      );
    },

    byHash: (hash: string) => apiKeys.findOne({ key_hash: hash }),

    byFamily: (hash: string, session: DatabaseSession) =>
      apiKeys.findOne({ 'grant.family_hash': hash }, session),

    /** The grants of a person that have not ended, newest first, with those whose code is still valid. */
    grantsOf(userId: string, now: string, session?: DatabaseSession) {
      const filter = { created_by: userId, 'grant.client_id': { $type: 'string' }, revoked_at: null };
      return apiKeys.find({ ...filter, expires_at: { $gt: now } }, { sort: { _id: -1 }, session });
    },

    /** The keys that may change settings now. */
    changingSettings: (of: SettingsOf, now: string, session: DatabaseSession) =>
      apiKeys.find(
        { ...of, revoked_at: null, settings_until: { $gt: now }, $or: unexpired(now) },
        { session },
      ),

    /** All keys of a workspace, or those of one service account. */
    page(workspaceId: string, { service_account_id, ...page }: ApiKeyPageRequest) {
      const filter = {
        workspace_id: workspaceId,
        grant: NO_GRANT,
        ...(service_account_id && { service_account_id }),
      };
      const scope = `api-keys/${workspaceId}/${service_account_id ?? ''}`;
      return apiKeys.page(filter, -1, page, scope);
    },

    /** Counts the keys that work and have no successor, or with `isReplaced` those that have one. */
    countActive(
      workspace_id: string,
      { now, isReplaced }: { now: string; isReplaced: boolean },
      session: DatabaseSession,
    ) {
      const state = { grant: NO_GRANT, revoked_at: null, rotated_to: isReplaced ? { $ne: null } : null };
      return apiKeys.count({ workspace_id, ...state, $or: unexpired(now) }, session);
    },

    /** Up to 100 keys that expire before `soon` and whose mails about it were not queued. */
    expiring(now: string, soon: string) {
      const state = { grant: NO_GRANT, revoked_at: null, rotated_to: null };
      const filter = { ...state, expires_at: { $gt: now, $lte: soon } };
      return apiKeys.find(
        { ...filter, is_expiry_told: { $ne: true } },
        { sort: { _id: 1 }, limit: EXPIRING_MAX },
      );
    },

    /** Returns false when another process did this before. */
    async markExpiryTold(id: string, session: DatabaseSession): Promise<boolean> {
      const told = { $set: { is_expiry_told: true } };
      return (
        (await apiKeys.findAndUpdate({ _id: id, is_expiry_told: { $ne: true } }, told, session)) !== null
      );
    },

    /** Writes the fields that rotation, revocation, renewal or a lost scope change; not last_used_at. */
    async update(key: ApiKeyRecord, session: DatabaseSession): Promise<void> {
      const { key_hash, scopes, expires_at, settings_until, revoked_at, rotated_to, version, grant } = key;
      const state = { key_hash, scopes, expires_at, settings_until, revoked_at, rotated_to, version };
      const change = { $set: { ...state, ...(grant && { grant }) } };
      await apiKeys.collection.updateOne({ _id: key.id }, change, { session });
    },

    /** Ignores unknown ids, and never sets last_used_at to an earlier time. */
    async recordUse(uses: readonly { key_id: string; at: string }[]) {
      if (uses.length === 0) return;
      const updates = uses.map(({ key_id, at }) => ({
        updateOne: { filter: { _id: key_id }, update: { $max: { last_used_at: at } } },
      }));
      await apiKeys.collection.bulkWrite(updates, { ordered: false });
    },
  };
}
