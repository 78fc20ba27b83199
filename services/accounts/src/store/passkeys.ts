import type { Passkey } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  isDuplicate,
  recordCollection,
} from '@waymark/service-kit/store';

export interface PasskeyRecord extends Passkey {
  user_id: string;
  /** The authenticator's id of it, base64url. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** The authenticator's count of sign-ins; 0 where it does not count. */
  counter: number;
  transports: string[];
}

export const USED_CHALLENGES = 'used_challenges';

export function passkeyStore(database: Database) {
  const { byId, insert, ...passkeys } = recordCollection<PasskeyRecord>(database, 'passkeys');
  const used = database.collection<{ _id: string; remove_at: Date }>(USED_CHALLENGES);
  return {
    byId,
    remove: passkeys.remove,

    byCredentialId: (credential_id: string) => passkeys.findOne({ credential_id }),

    /** The user's passkeys, oldest first. */
    ofUser: (user_id: string, session?: DatabaseSession) =>
      passkeys.find({ user_id }, { sort: { _id: 1 }, session }),

    /** Returns false if the authenticator's credential is registered already. */
    insert: (passkey: PasskeyRecord, session: DatabaseSession) => isFirst(insert(passkey, session)),

    /** Changes a passkey that still has these fields; null if none has. */
    update: (
      id: string,
      expected: Partial<PasskeyRecord>,
      set: Partial<PasskeyRecord>,
      session: DatabaseSession,
    ) => passkeys.findAndUpdate({ ...expected, _id: id }, { $set: set }, session),

    async removeOf(user_id: string, session: DatabaseSession): Promise<void> {
      await passkeys.collection.deleteMany({ user_id }, { session });
    },

    /** Returns false if the challenge was used before. */
    useChallenge: ({ id, expires_at }: { id: string; expires_at: Date }, session: DatabaseSession) =>
      isFirst(used.insertOne({ _id: id, remove_at: new Date(expires_at.getTime() + KEPT_MS) }, { session })),
  };
}

/** Longer than the clock of MongoDB, which removes it, can differ from the service's. */
const KEPT_MS = 3_600_000;

async function isFirst(inserted: Promise<unknown>): Promise<boolean> {
  try {
    await inserted;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
