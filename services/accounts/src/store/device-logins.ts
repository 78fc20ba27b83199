import type { DeviceLogin } from '@waymark/contracts';
import { type Database, type DatabaseSession, recordCollection } from '@waymark/service-kit/store';

/** A command line that waits for a person. Its codes and its key are stored as hashes. */
export interface DeviceLoginRecord extends DeviceLogin {
  id: string;
  device_hash: string;
  /** A keyed hash: the plain one of a code that a person can type is soon guessed. */
  user_hash: string;
  /** The hash of the key that the device gets. */
  key_hash: string;
  key_prefix: string;
  state: 'pending' | 'allowed' | 'declined';
  polled_at: string | null;
  interval_seconds: number;
  remove_at: Date;
}

export function deviceLoginStore(database: Database) {
  const { insert, ...logins } = recordCollection<DeviceLoginRecord>(database, 'device_logins');
  const pending = (userHashes: string[], now: string) =>
    ({ user_hash: { $in: userHashes }, state: 'pending', expires_at: { $gt: now } }) as const;
  return {
    insert,

    pendingOf: (userHashes: string[], now: string) => logins.findOne(pending(userHashes, now)),

    /** Answers a request that waits, once; null if none does. */
    settle: (
      userHashes: string[],
      state: 'allowed' | 'declined',
      { now, session }: { now: string; session?: DatabaseSession },
    ) => logins.findAndUpdate(pending(userHashes, now), { $set: { state } }, session),

    byDeviceHash: (device_hash: string, session: DatabaseSession) => logins.findOne({ device_hash }, session),

    /** Notes that the device has asked, so that two that ask at the same time conflict. */
    async notePoll(
      { id }: DeviceLoginRecord,
      state: Pick<DeviceLoginRecord, 'polled_at' | 'interval_seconds'>,
      session: DatabaseSession,
    ): Promise<void> {
      await logins.collection.updateOne({ _id: id }, { $set: state }, { session });
    },

    remove: logins.remove,
  };
}
