import type { Delivery, WebhookStats } from '@waymark/contracts';
import type { Database, Indexes } from '@waymark/service-kit';
import type { ClientSession } from 'mongodb';

export type DeliveryStatus = Delivery['status'];
export type Counted = 'accepted' | DeliveryStatus;
/** How many deliveries entered or left a status, by endpoint. */
export type CounterChanges = Map<string, Partial<Record<Counted, number>>>;

type CounterDocument = { _id: string; webhook_id: string } & Partial<Record<Counted, number>>;

/** Whose change it is: what runs beside each other in a process counts in documents of its own, so as not to conflict. */
export type CountedBy = 'fan_out' | 'results' | 'settings';

const COUNTERS = 'counters';
/**
 * Documents that one of them spreads over, at random, for the same reason: a transaction that a crash left open keeps its
 * documents locked for a while, and another attempt gets round it. Only sums mean anything.
 */
const SLOTS = 16;

export const counterIndexes: Indexes = { [COUNTERS]: [{ key: { webhook_id: 1 } }] };

/** Adds `n` deliveries to a count of an endpoint. */
export function count(changes: CounterChanges, webhookId: string, counted: Counted, n: number): void {
  const known = changes.get(webhookId) ?? {};
  known[counted] = (known[counted] ?? 0) + n;
  changes.set(webhookId, known);
}

export type CounterStore = ReturnType<typeof counterStore>;

/** Counters change in the transaction that changes the deliveries, and in no other way: that is why they add up. */
export function counterStore(database: Database) {
  const counters = database.collection<CounterDocument>(COUNTERS);

  return {
    async add(changes: CounterChanges, by: CountedBy, session: ClientSession): Promise<void> {
      if (changes.size === 0) return;
      const slot = Math.floor(Math.random() * SLOTS);
      const updates = [...changes].map(([webhookId, increments]) => ({
        updateOne: {
          filter: { _id: `${webhookId}/${by}/${slot}`, webhook_id: webhookId },
          update: { $inc: increments },
          upsert: true,
        },
      }));
      await counters.bulkWrite(updates, { session });
    },

    async read(webhookId: string): Promise<WebhookStats> {
      const stats = { accepted: 0, delivered: 0, pending: 0, failed: 0, held: 0, cancelled: 0 };
      for await (const document of counters.find({ webhook_id: webhookId })) {
        for (const name of Object.keys(stats) as Counted[]) stats[name] += document[name] ?? 0;
      }
      return { webhook_id: webhookId, ...stats };
    },

    async remove(webhookIds: string[]): Promise<void> {
      await counters.deleteMany({ webhook_id: { $in: webhookIds } });
    },
  };
}
