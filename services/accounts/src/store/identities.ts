import {
  type Database,
  fromDocument,
  type Indexes,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { DatabaseSession } from './in-session.ts';

/** Who a user is at an identity provider. */
export interface IdentityRecord {
  id: string;
  user_id: string;
  issuer: string;
  /** The provider's own name for the user, which never goes to another. */
  subject: string;
  created_at: string;
}

const IDENTITIES = 'identities';

export const identityIndexes: Indexes = {
  [IDENTITIES]: [{ key: { issuer: 1, subject: 1 }, unique: true }, { key: { user_id: 1 } }],
};

export function identityStore(database: Database) {
  const identities = database.collection<Stored<IdentityRecord>>(IDENTITIES);
  return {
    async find(issuer: string, subject: string): Promise<IdentityRecord | null> {
      const found = await identities.findOne({ issuer, subject });
      return found && fromDocument<IdentityRecord>(found);
    },

    async insert(identity: IdentityRecord, session: DatabaseSession): Promise<void> {
      await identities.insertOne(toDocument(identity), { session });
    },

    /** Leaves the user without a way in by single sign-on. */
    async removeOf(userId: string, session: DatabaseSession): Promise<void> {
      await identities.deleteMany({ user_id: userId }, { session });
    },
  };
}
