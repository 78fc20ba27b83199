import { afterEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Invalidations, openInvalidations } from './invalidations.ts';
import type { Nats } from './nats.ts';

let invalidations: Invalidations;
afterEach(() => invalidations.stop());

/** A connection whose server processes what it received only when the test says so. */
function slowServer() {
  const connects: ((connection: NatsConnection) => void | Promise<void>)[] = [];
  const flushed: (() => void)[] = [];
  let subscriptions = 0;
  const connection = {
    flush: () => new Promise<void>((resolve) => flushed.push(resolve)),
  } as unknown as NatsConnection;
  const nats = {
    connection: () => connection,
    subscribe() {
      subscriptions += 1;
      return [];
    },
    onConnect: (run: (typeof connects)[number]) => connects.push(run),
  };
  return {
    nats: nats as unknown as Nats,
    subscriptions: () => subscriptions,
    connect() {
      for (const run of connects) void run(connection);
    },
    async processAll() {
      for (const resolve of flushed.splice(0)) resolve();
      await new Promise(setImmediate);
    },
  };
}

describe('values that were loaded before the server has the subscription', () => {
  it('are discarded after every connect', async () => {
    const server = slowServer();
    let changes = 0;
    invalidations = openInvalidations({ nats: server.nats, subject: 's', now: () => 0, announces: false });
    invalidations.onChange(() => {
      changes += 1;
    });
    for (const connects of [1, 2]) {
      const away = invalidations.epoch();
      server.connect();
      const connected = invalidations.epoch();
      expect(connected).toBeGreaterThan(away);
      await server.processAll();
      expect(invalidations.epoch()).toBeGreaterThan(connected);
      // Once when it connects, and once when the server has the subscription.
      expect(changes).toBe(2 * connects);
    }
    expect(server.subscriptions()).toBe(1);
  });
});
