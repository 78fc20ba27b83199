import { type Delivery, deliveryStatuses, type WebhookStats } from '@waymark/contracts';
import type { Database } from '@waymark/service-kit/store';
import type { ClientSession } from 'mongodb';
import { DELIVERIES, type DeliveryWrite, deliveryCollection } from './delivery-record.ts';

export type DeliveryStatus = Delivery['status'];
type Counted = 'accepted' | DeliveryStatus;
type Counts = Partial<Record<Counted, number>>;
/** How many deliveries entered or left a status, by endpoint. */
export type CounterChanges = Map<string, { workspace_id: string; counts: Counts }>;

/** The parts of the service that count. Each has its own documents, so that they do not conflict. */
export type CountedBy = 'fan_out' | 'results' | 'settings';

type CounterDocument = { _id: string; workspace_id: string } & Counts;

/**
 * Each part spreads its counts over this many documents at random, because a crash may leave a transaction
 * open that locks some of them for a while. Only the sums have a meaning.
 */
const SLOTS = 16;
export const randomSlot = () => Math.floor(Math.random() * SLOTS);

const COUNTER_PREFIX = 'counter/';
/** Sorts after all ids of counters, and before the ids that follow. */
const COUNTER_END = 'counter0';
const TOTALS_TIMEOUT_MS = 2_000;

export function count(
  changes: CounterChanges,
  { webhook_id, workspace_id }: { webhook_id: string; workspace_id: string },
  counted: Counted,
  n: number,
): void {
  const { counts } = changes.get(webhook_id) ?? { counts: {} as Counts };
  counts[counted] = (counts[counted] ?? 0) + n;
  changes.set(webhook_id, { workspace_id, counts });
}

/** Returns the writes of changed counts, for the command that writes the deliveries. */
export function counterWrites(changes: CounterChanges, by: CountedBy, slot = randomSlot()): DeliveryWrite[] {
  return [...changes].map(([webhookId, { workspace_id, counts }]) => ({
    updateOne: {
      filter: { _id: `${COUNTER_PREFIX}${webhookId}/${by}/${slot}`, workspace_id },
      update: { $inc: counts },
      upsert: true,
    },
  })) as unknown as DeliveryWrite[];
}

/** Counters change in the transaction, and usually the command, that changes their deliveries. */
export function counterStore(database: Database) {
  const counters = database.collection<CounterDocument>(DELIVERIES);

  return {
    async add(changes: CounterChanges, by: CountedBy, session: ClientSession): Promise<void> {
      if (changes.size > 0)
        await deliveryCollection(database).bulkWrite(counterWrites(changes, by), { session });
    },

    async read(webhookId: string): Promise<Omit<WebhookStats, 'history'>> {
      const stats = { accepted: 0, delivered: 0, pending: 0, failed: 0, held: 0, cancelled: 0 };
      const prefix = `${COUNTER_PREFIX}${webhookId}`;
      for await (const document of counters.find({ _id: { $gte: `${prefix}/`, $lt: `${prefix}0` } })) {
        for (const name of Object.keys(stats) as Counted[]) stats[name] += document[name] ?? 0;
      }
      return { webhook_id: webhookId, ...stats };
    },

    /** Returns how many deliveries of all workspaces are in each status, removed ones included. */
    async totals(): Promise<Partial<Record<DeliveryStatus, number>>> {
      const sums = Object.fromEntries(deliveryStatuses.map((status) => [status, { $sum: `$${status}` }]));
      const [found] = await counters
        .aggregate<Record<DeliveryStatus, number>>([
          { $match: { _id: { $gte: COUNTER_PREFIX, $lt: COUNTER_END } } },
          { $group: { _id: null, ...sums } },
        ])
        .maxTimeMS(TOTALS_TIMEOUT_MS)
        .toArray();
      return Object.fromEntries(deliveryStatuses.map((status) => [status, found?.[status] ?? 0]));
    },
  };
}
