import { ApiError, type User } from '@waymark/contracts';
import {
  type Database,
  type DatabaseSession,
  isDuplicate,
  recordCollection,
} from '@waymark/service-kit/store';

/** The secret of an authenticator app. */
export interface EncryptedSecret {
  /** Names the key: the first digits of its hash. */
  key_id: string;
  secret: string;
}

/** The authenticator app of a user. */
export interface TotpRecord extends EncryptedSecret {
  /** The time step of the last code: none is accepted twice. */
  last_step: number;
  /** SHA-256 of the recovery codes that are left. */
  recovery_hashes: string[];
  added_at: string;
}

export interface UserRecord extends User {
  /** Null for a user who signs in by single sign-on only. */
  password_hash: string | null;
  /** Null until it is changed, or set for the first time after the sign-up. */
  password_changed_at: string | null;
  /** When the mail server last refused a mail for good; null after one was sent. */
  mail_refused_at: string | null;
  /** Null without an authenticator app. */
  totp: TotpRecord | null;
  /** Addresses that the account had before. */
  former_emails: string[];
  /** Increases with every change of the account, so that concurrent changes conflict. */
  revision: number;
  updated_at: string;
}

export function userStore(database: Database) {
  const users = recordCollection<UserRecord>(database, 'users', {
    defaults: {
      language: 'en',
      density: 'comfortable',
      password_changed_at: null,
      mail_refused_at: null,
      totp: null,
      former_emails: [],
    },
  });
  return {
    byId: users.byId,

    byEmail: (email: string, session?: DatabaseSession) => users.findOne({ email }, session),

    async byIds(ids: string[], session?: DatabaseSession) {
      const found = await users.find({ _id: { $in: ids } }, { session });
      return new Map(found.map((user) => [user.id, user]));
    },

    async insert(user: UserRecord, session: DatabaseSession): Promise<void> {
      try {
        await users.insert(user, session);
      } catch (error) {
        throw isDuplicate(error) ? emailTaken() : error;
      }
    },

    /** Notes the result of a mail to an address, which may have no account. */
    async noteMail(email: string, mail_refused_at: string | null): Promise<void> {
      const known = mail_refused_at === null ? { email, mail_refused_at: { $ne: null } } : { email };
      await users.collection.updateOne(known, { $set: { mail_refused_at } });
    },

    /** Yields the apps whose secret is not encrypted with this key. */
    async *withTotpUnder(keyId: string) {
      const others = users.collection.find({ 'totp.key_id': { $type: 'string', $ne: keyId } });
      for await (const { _id: id, totp } of others) if (totp) yield { id, totp };
    },

    /** Returns how many records were changed: 0 if the app was replaced meanwhile. */
    async replaceTotpSecret(id: string, { secret }: TotpRecord, renewed: EncryptedSecret): Promise<number> {
      const set = { 'totp.key_id': renewed.key_id, 'totp.secret': renewed.secret };
      const known = { _id: id, 'totp.secret': secret };
      return (await users.collection.updateOne(known, { $set: set })).modifiedCount;
    },

    /** Increments the revision and applies `set`; null if no user has id and `expected`. Throws CONFLICT. */
    async update(
      id: string,
      session: DatabaseSession,
      { expected = {}, set = {} }: { expected?: Partial<UserRecord>; set?: Partial<UserRecord> } = {},
    ) {
      const change = { $inc: { revision: 1 }, $set: set };
      try {
        return await users.findAndUpdate({ ...expected, _id: id }, change, session);
      } catch (error) {
        throw isDuplicate(error) ? emailTaken() : error;
      }
    },
  };
}

export const emailTaken = () =>
  new ApiError('CONFLICT', { message: 'This email is taken; sign in, or sign up with another one.' });
