import { ApiError, type EventOffset, type LoggedEvent, limits } from '@waymark/contracts';
import { type Database, type Indexes, inTransaction } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';

const EVENT_LOG = 'event_log';
const OFFSETS = 'event_offsets';
const DAY_SECONDS = 86_400;
const APPEND_TIMEOUT_MS = 10_000;
/** A page of large events ends within one or two batches: MongoDB would send 16 MiB in the first. */
const BATCH_EVENTS = 50;
/** More events than a workspace has between a backup and its restoration. */
const RESTORED_GAP = 1_000_000_000;

export const eventLogIndexes: Indexes = {
  [EVENT_LOG]: [
    { key: { workspace_id: 1, number: 1 }, unique: true },
    { key: { logged_at: 1 }, expireAfterSeconds: limits.eventLogDays * DAY_SECONDS },
  ],
  [OFFSETS]: [],
};

export const eventLogOwned = { [EVENT_LOG]: 'workspace_id', [OFFSETS]: '_id' };

/** An event in the log. Its data are JSON text, because their field names may not be valid in MongoDB. */
export type EventRecord = Omit<LoggedEvent, 'id' | 'data'> & {
  _id: string;
  data: string | null;
  logged_at: Date;
};
/** Counts the events of the workspace with its id. Stored beside the events, to be on the same shard. */
interface CounterRecord {
  _id: string;
  workspace_id: string;
  number: 0;
  last: number;
}
interface OffsetsRecord {
  _id: string;
  offsets: EventOffset[];
}

export interface EventPage {
  events: EventRecord[];
  /** The number of the last of the events, or where a page without events begins. */
  nextAfter: number;
  newest: number;
}

export type EventLogStore = ReturnType<typeof eventLogStore>;

export function eventLogStore(database: Database) {
  const events = database.collection<EventRecord>(EVENT_LOG);
  const counters = database.collection<CounterRecord>(EVENT_LOG);
  const offsets = database.collection<OffsetsRecord>(OFFSETS);

  /** Gives the events that are new the next numbers of their workspaces. */
  async function appendIn(batch: readonly Omit<EventRecord, 'number'>[], session: ClientSession) {
    const workspaceIds = [...new Set(batch.map(({ workspace_id }) => workspace_id))];
    const _id = { $in: [...workspaceIds, ...batch.map(({ _id }) => _id)] };
    const known = await counters
      .find({ workspace_id: { $in: workspaceIds }, _id }, { session, projection: { last: 1 } })
      .toArray();
    const found = new Map(known.map((one) => [one._id, one.last]));
    const lastOf = new Map<string, number>();
    const added = batch
      .filter((event) => !found.has(event._id))
      .map((event) => {
        const { workspace_id } = event;
        const number = (lastOf.get(workspace_id) ?? found.get(workspace_id) ?? 0) + 1;
        lastOf.set(workspace_id, number);
        return { ...event, number };
      });
    if (added.length === 0) return;
    await events.insertMany(added, { session });
    const moves = [...lastOf].map(([workspace_id, last]) => ({
      updateOne: {
        filter: { _id: workspace_id, workspace_id },
        update: { $set: { last, number: 0 as const } },
        upsert: true,
      },
    }));
    await counters.bulkWrite(moves, { session });
  }

  async function readPage(
    { workspaceId, after, limit }: { workspaceId: string; after: number; limit: number },
    session: ClientSession,
  ): Promise<EventRecord[]> {
    const filter = { workspace_id: workspaceId, number: { $gt: after } };
    const found = events.find(filter, { session, sort: { number: 1 }, limit, batchSize: BATCH_EVENTS });
    const page: EventRecord[] = [];
    let bytes = 0;
    for await (const event of found) {
      // An event expired while the page was read. The next page begins with the error.
      if (page.length > 0 && event.number !== page.at(-1)!.number + 1) break;
      page.push(event);
      bytes += event.data?.length ?? 0;
      if (bytes >= limits.eventLogPageBytes) break;
    }
    return page;
  }

  return {
    /**
     * Appends the events that are not in the log, in one transaction. The counter of a workspace changes with
     * its events, so a later number is never visible before an earlier one.
     */
    async appendEvents(batch: readonly Omit<EventRecord, 'number'>[]): Promise<void> {
      await inTransaction(database.client, (session) => appendIn(batch, session), {
        readConcern: { level: 'snapshot' },
        timeoutMs: APPEND_TIMEOUT_MS,
        // Another process may have stored the same event or the first one of the workspace.
        duplicates: 4,
      });
    },

    /** Reads the events after a number, or all that are kept. Throws POSITION_GONE. */
    async readEvents(workspaceId: string, after: number | null, limit: number): Promise<EventPage> {
      // Causally consistent: an event that the counter counts is read, or it has expired.
      const { last, page } = await database.client.withSession(async (session) => {
        const counter = await counters.findOne({ _id: workspaceId, workspace_id: workspaceId }, { session });
        const counted = counter?.last ?? 0;
        if (counted === after) return { last: counted, page: [] };
        return { last: counted, page: await readPage({ workspaceId, after: after ?? 0, limit }, session) };
      });
      const newest = Math.max(last, page.at(-1)?.number ?? 0);
      const first = page[0]?.number ?? newest + 1;
      const begin = after ?? first - 1;
      if (begin > newest) throw positionGone('ahead', `The newest event has the number ${newest}.`);
      if (begin < newest && first !== begin + 1)
        throw positionGone('expired', `The events from ${begin + 1} to ${first - 1} are no longer kept.`);
      return { events: page, nextAfter: begin + page.length, newest };
    },

    async newestEvent(workspaceId: string): Promise<number> {
      return (await counters.findOne({ _id: workspaceId, workspace_id: workspaceId }))?.last ?? 0;
    },

    async listOffsets(workspaceId: string): Promise<EventOffset[]> {
      const found = (await offsets.findOne({ _id: workspaceId }))?.offsets ?? [];
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    /** Throws LIMIT_EXCEEDED. */
    async putOffset(workspaceId: string, offset: EventOffset): Promise<void> {
      const { name } = offset;
      const most = limits.eventOffsetsPerWorkspace;
      async function replace(): Promise<boolean> {
        const stored = { _id: workspaceId, 'offsets.name': name };
        return (await offsets.updateOne(stored, { $set: { 'offsets.$': offset } })).matchedCount > 0;
      }
      async function add(): Promise<boolean> {
        await offsets.updateOne({ _id: workspaceId }, { $setOnInsert: { offsets: [] } }, { upsert: true });
        const isNotFull = { [`offsets.${most - 1}`]: { $exists: false } };
        const others = { _id: workspaceId, 'offsets.name': { $ne: name }, ...isNotFull };
        return (await offsets.updateOne(others, { $push: { offsets: offset } })).matchedCount > 0;
      }
      // Another request may have stored the offset between the first replacement and the insertion.
      if ((await replace()) || (await add()) || (await replace())) return;
      const message = `A workspace has at most ${most} offsets of the event log.`;
      throw new ApiError('LIMIT_EXCEEDED', { message });
    },

    async deleteOffset(workspaceId: string, name: string): Promise<boolean> {
      const removed = { $pull: { offsets: { name } } };
      return (await offsets.updateOne({ _id: workspaceId }, removed)).modifiedCount > 0;
    },
  };
}

const positionGone = (reason: 'expired' | 'ahead', message: string) =>
  new ApiError('POSITION_GONE', { reason, message });

/** Removes a person's name, and the data of events that mention the person. Returns how many it changed. */
export async function erasePersonFromEventLog(
  database: Pick<Database, 'collection'>,
  { userId, mentioned }: { userId: string; mentioned: RegExp },
): Promise<number> {
  const events = database.collection<EventRecord>(EVENT_LOG);
  const theirs = { $or: [{ 'actor.id': userId }, { 'subject.id': userId }, { data: mentioned }] };
  const isLeft = { number: { $gt: 0 }, $nor: [{ data: null, 'actor.name': null }] };
  const erased = { $set: { data: null, 'actor.name': null } };
  return (await events.updateMany({ ...theirs, ...isLeft }, erased)).modifiedCount;
}

/**
 * Begins every log of a restored database at numbers that nobody has read. Otherwise new events would get the
 * numbers of events that the restored database lacks, and readers would miss the new ones.
 */
export async function beginEventLogsAnew(database: Pick<Database, 'collection'>): Promise<void> {
  await database.collection<EventRecord>(EVENT_LOG).deleteMany({ number: { $gt: 0 } });
  const forward = { $inc: { last: RESTORED_GAP } };
  await database.collection<CounterRecord>(EVENT_LOG).updateMany({ number: 0 }, forward);
}
