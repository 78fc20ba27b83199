import { type Database, type DatabaseSession, recordCollection } from '@waymark/service-kit/store';

/** Links a user to an account at an identity provider. */
export interface IdentityRecord {
  id: string;
  user_id: string;
  issuer: string;
  /** The provider's own id of the account, which it never gives to another. */
  subject: string;
  created_at: string;
}

export function identityStore(database: Database) {
  const { findOne, insert, collection } = recordCollection<IdentityRecord>(database, 'identities');
  return {
    insert,

    find: (issuer: string, subject: string) => findOne({ issuer, subject }),

    async removeOf(userId: string, session: DatabaseSession): Promise<void> {
      await collection.deleteMany({ user_id: userId }, { session });
    },
  };
}
