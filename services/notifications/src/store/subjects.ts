import { limits, newId } from '@waymark/contracts';
import { keyedQueue } from '@waymark/service-kit/jobs';
import {
  type Database,
  fromDocument,
  inTransaction,
  type Stored,
  toDocument,
} from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import type { MessageRecord, NotificationRecord, SubjectRecord } from '../records.ts';
import { MESSAGES, NOTIFICATIONS, REMOVED, SUBJECTS, SUBSCRIPTIONS, toRemove } from './collections.ts';

export type SubjectReference = Pick<SubjectRecord, 'id' | 'type'>;
export type NewNotification = Omit<NotificationRecord, 'id' | 'expires_at' | 'mail_at' | 'digest_at'>;
export type SubjectChange = ReturnType<typeof changeIn>;

/** Messages that were handled before an earlier one of the same thread. */
const LATER_MESSAGES_MAX = 100;
const DAY_MS = 86_400_000;

/** Where a removed notification was listed. */
const listed_at = { $ifNull: ['$snoozed_until', '$created_at'] };

/** The stored id: a deleted decision, and what is about it, may be imported into another workspace. */
const storedId = (workspaceId: string, id: string) => `${workspaceId}/${id}`;
const recordOf = <T extends { id: string; workspace_id: string }>(document: Stored<T>): T => {
  const record = fromDocument<T>(document);
  return { ...record, id: record.id.slice(record.workspace_id.length + 1) };
};

const newSubject = ({ id, type }: SubjectReference, workspace_id: string): SubjectRecord => ({
  ...{ id, workspace_id, type, title: null, workflow_id: null, version: 0, deleted_version: 0 },
  ...{ assigned: null, assigned_told: [], responsible: [], due: {}, next_due_at: null },
  ...{ generation: 0, participants: {}, revision: 0 },
});

/** The writes that a change of subjects may make in its transaction. */
function changeIn(database: Pick<Database, 'collection'>, workspace_id: string, session: ClientSession) {
  const notifications = database.collection<Stored<NotificationRecord>>(NOTIFICATIONS);
  const messages = database.collection<Stored<MessageRecord>>(MESSAGES);
  const subscriptions = database.collection(SUBSCRIPTIONS);
  return {
    async message(id: string): Promise<MessageRecord | null> {
      const found = await messages.findOne({ workspace_id, _id: storedId(workspace_id, id) }, { session });
      return found && recordOf<MessageRecord>(found);
    },

    async putMessage({ id, ...message }: MessageRecord): Promise<void> {
      const filter = { workspace_id, _id: storedId(workspace_id, id) };
      await messages.replaceOne(filter, message, { session, upsert: true });
    },

    /** The messages of a thread after a place and, if given, before another. */
    async messagesBetween({ id, generation }: SubjectRecord, after: string, before?: string) {
      const place = { $gt: after, ...(before !== undefined && { $lt: before }) };
      const filter = { workspace_id, subject_id: id, place, generation, is_deleted: false };
      const found = await messages.find(filter, { session, limit: LATER_MESSAGES_MAX }).toArray();
      return found.map((document) => recordOf<MessageRecord>(document));
    },

    async insert(drafts: readonly NewNotification[]): Promise<void> {
      const writes = drafts.map(({ workspace_id, user_id, cause, ...rest }) => {
        const expires_at = new Date(Date.parse(rest.created_at) + limits.notificationDays * DAY_MS);
        const filter = { workspace_id, user_id, cause };
        return {
          updateOne: {
            filter,
            update: {
              $setOnInsert: { _id: newId(), ...rest, mail_at: rest.created_at, digest_at: null, expires_at },
            },
            upsert: true,
          },
        };
      });
      if (writes.length > 0) await notifications.bulkWrite(writes, { session });
    },

    /**
     * Follows an edit: the new excerpt, and no mention of others than `mentioned`. What was removed before
     * comes back as it was: read or not, and mailed or not.
     */
    async editMessage(id: string, excerpt: string, mentioned: string[]): Promise<void> {
      const about = { workspace_id, message_id: id };
      const others = { kind: 'mention' as const, user_id: { $nin: mentioned } };
      await notifications.updateMany({ ...about, ...others }, toRemove, { session });
      const $set = { excerpt: { $literal: excerpt }, listed_at };
      await notifications.updateMany({ ...about, $nor: [others] }, [{ $set }], { session });
    },

    async removeAboutMessage(id: string): Promise<void> {
      await notifications.updateMany({ workspace_id, message_id: id }, toRemove, { session });
    },

    /** Subscriptions stay for as long as the records can be restored. */
    async removeAbout(ids: string[], deletedAt: string): Promise<void> {
      const about = { workspace_id, record_id: { $in: ids } };
      await notifications.updateMany(about, toRemove, { session });
      await messages.deleteMany({ workspace_id, subject_id: { $in: ids } }, { session });
      const expires_at = new Date(Date.parse(deletedAt) + limits.trashDays * DAY_MS);
      await subscriptions.updateMany(about, { $set: { expires_at } }, { session });
    },

    async restoreAbout(ids: string[]): Promise<void> {
      const about = { workspace_id, record_id: { $in: ids } };
      const removed = { ...about, message_id: null, listed_at: REMOVED };
      await notifications.updateMany(removed, [{ $set: { listed_at } }], { session });
      await subscriptions.updateMany(about, { $unset: { expires_at: 1 } }, { session });
    },
  };
}

export function subjectStore(database: Database) {
  const subjects = database.collection<Stored<SubjectRecord>>(SUBJECTS);
  const queue = keyedQueue();

  async function attempt<T>(
    workspaceId: string,
    references: readonly SubjectReference[],
    work: (known: Map<string, SubjectRecord>, change: SubjectChange) => Promise<T>,
    session: ClientSession,
  ): Promise<T> {
    const ids = references.map(({ id }) => storedId(workspaceId, id));
    const found = await subjects
      .find({ workspace_id: workspaceId, _id: { $in: ids } }, { session })
      .toArray();
    const known = new Map(references.map((one) => [one.id, newSubject(one, workspaceId)]));
    for (const subject of found.map((document) => recordOf<SubjectRecord>(document)))
      known.set(subject.id, { ...known.get(subject.id)!, ...subject });
    const result = await work(known, changeIn(database, workspaceId, session));
    const writes = [...known.values()].map((subject) => {
      const { _id: id, ...replacement } = toDocument({ ...subject, revision: subject.revision + 1 });
      const _id = storedId(workspaceId, id);
      return { replaceOne: { filter: { workspace_id: workspaceId, _id }, replacement, upsert: true } };
    });
    if (writes.length > 0) await subjects.bulkWrite(writes, { session });
    return result;
  }

  return {
    /**
     * Changes subjects, with the messages and notifications about them, in one transaction. It conflicts with
     * every other change of these subjects, so that `work`, which may run again, sees what those have done.
     */
    async changeSubjects<T>(
      workspaceId: string,
      references: readonly SubjectReference[],
      work: (known: Map<string, SubjectRecord>, change: SubjectChange) => Promise<T>,
    ): Promise<T> {
      const run = (session: ClientSession) => attempt(workspaceId, references, work, session);
      // Another process may have stored the same subject for the first time.
      const changed = () => inTransaction(database.client, run, { duplicates: 4 });
      return queue.runExclusive(references[0]?.id ?? workspaceId, changed);
    },

    /** Returns the present titles of the records of notifications, by id. */
    async about(
      records: readonly Pick<NotificationRecord, 'workspace_id' | 'record_id'>[],
    ): Promise<Map<string, Pick<SubjectRecord, 'title' | 'workflow_id'>>> {
      const workspace_id = { $in: [...new Set(records.map((record) => record.workspace_id))] };
      const _id = { $in: records.map((record) => storedId(record.workspace_id, record.record_id)) };
      const projection = { workspace_id: 1, title: 1, workflow_id: 1 };
      const found = await subjects.find({ workspace_id, _id }, { projection }).toArray();
      return new Map(found.map((document) => [recordOf<SubjectRecord>(document).id, document]));
    },

    /** Subjects with a date that has come. */
    async due(now: string, limit: number): Promise<SubjectRecord[]> {
      const filter = { next_due_at: { $lte: now, $type: 'string' as const } };
      const found = await subjects.find(filter, { sort: { next_due_at: 1 }, limit }).toArray();
      return found.map((document) => recordOf<SubjectRecord>(document));
    },
  };
}
