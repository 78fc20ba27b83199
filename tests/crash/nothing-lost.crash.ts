import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import { type ProductProcesses, startProductProcesses } from './support/product-processes.ts';
import {
  allDecisions,
  auditedDecisions,
  differences,
  expectNothingLost,
  followEventLog,
  none,
} from './support/records.ts';
import { seeded } from './support/seeded.ts';
import { startWriters } from './support/writers.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? 20261121);
/** Each victim is killed once per round. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 5);
const WRITERS = 8;
/** Acknowledged writes between two kills: the load continues while the victim restarts. */
const BETWEEN_KILLS = [10, 60] as const;

let product: ProductProcesses;
beforeAll(async () => {
  product = await startProductProcesses({
    entries: {
      decisions: 'tests/crash/services/decisions-main.ts',
      audit: 'tests/crash/services/audit-main.ts',
    },
  });
});
afterAll(() => product.stop());

function writersOf() {
  const { services, key, workspaceId, directory } = product;
  return startWriters({ count: WRITERS, baseUrls: [services.baseUrl], key, workspaceId, directory });
}

/** Arms a service's crash point and waits until the service has reached it. */
async function crashAtPoint(name: 'decisions' | 'audit'): Promise<void> {
  const service = product.processOf(name);
  await writeFile(join(product.directory, `crash-${name}`), '');
  await service.exited;
  await service.restart();
}

const victims: (() => Promise<void>)[] = [
  ...(['decisions', 'audit', 'accounts', 'gateway'] as const).map((name) => () => product.kill(name)),
  ...(['nats', 'mongo', 'redis'] as const).map((name) => () => product.killStore(name)),
];

/** Returns the items in a random order (Fisher-Yates shuffle). */
function shuffled<T>(things: readonly T[], random: () => number): T[] {
  const order = [...things];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const drawn = Math.floor(random() * (last + 1));
    [order[last], order[drawn]] = [order[drawn]!, order[last]!];
  }
  return order;
}

describe(`${ROUNDS * victims.length} kills under load (seed ${SEED})`, () => {
  it('lose no acknowledged write and no audit entry, and repeat none', async () => {
    const random = seeded(SEED);
    const log = followEventLog(product);
    const writers = writersOf();
    const [least, most] = BETWEEN_KILLS;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kill of shuffled(victims, random)) {
        await writers.afterMore(least + Math.floor(random() * (most - least)));
        await kill();
      }
    }
    await writers.stop();

    await expectNothingLost(product, writers.ledger);
    await log.expectCreated([...writers.ledger.acknowledged.values()]);
  });
});

describe.each(['decisions', 'audit'] as const)('a crash of %s at its most critical point', (name) => {
  it('loses nothing and repeats nothing', async () => {
    const before = (await allDecisions(product)).map((decision) => decision.id);
    const writers = writersOf();
    for (let i = 0; i < 4; i += 1) {
      await writers.afterMore(20);
      await crashAtPoint(name);
    }
    await writers.stop();
    const stored = (await allDecisions(product)).map((decision) => decision.id);
    expect(differences(stored, [...before, ...writers.ledger.acknowledged.values()])).toEqual(none);
    await eventually(async () => expect(differences(await auditedDecisions(product), stored)).toEqual(none));
  });
});
