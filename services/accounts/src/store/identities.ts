import type { Database, Indexes } from '@waymark/service-kit/store';
import { type DatabaseSession, recordCollection } from './record-collection.ts';

/** Links a user to an account at an identity provider. */
export interface IdentityRecord {
  id: string;
  user_id: string;
  issuer: string;
  /** The provider's own id of the account, which it never gives to another. */
  subject: string;
  created_at: string;
}

const IDENTITIES = 'identities';

export const identityIndexes: Indexes = {
  [IDENTITIES]: [{ key: { issuer: 1, subject: 1 }, unique: true }, { key: { user_id: 1 } }],
};

export function identityStore(database: Database) {
  const identities = recordCollection<IdentityRecord>(database, IDENTITIES);
  return {
    insert: identities.insert,

    find(issuer: string, subject: string): Promise<IdentityRecord | null> {
      return identities.findOne({ issuer, subject });
    },

    /** Removes the user's identities: single sign-on no longer works for the account. */
    async removeOf(userId: string, session: DatabaseSession): Promise<void> {
      await identities.collection.deleteMany({ user_id: userId }, { session });
    },
  };
}
