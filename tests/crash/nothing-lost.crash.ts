import { afterAll, describe, it } from '@jest/globals';
import { armCrash } from './support/crash-point.ts';
import { startProductProcesses } from './support/product-processes.ts';
import { expectNothingLost, followEventLog } from './support/records.ts';
import { seeded, shuffled } from './support/seeded.ts';
import { startWriters } from './support/writers.ts';

const SEED = Number(process.env['CRASH_SEED'] ?? 20261121);
/** Each victim is killed once per round. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 4);
const WRITERS = 8;
/** Acknowledged writes between two kills: the load continues while the victim restarts. */
const BETWEEN_KILLS = [10, 60] as const;

const product = await startProductProcesses({
  entries: {
    decisions: 'tests/crash/services/decisions-main.ts',
    audit: 'tests/crash/services/audit-main.ts',
  },
});
afterAll(() => product.stop());

/** Arms the crash point of a service, at its most critical moment, and waits until it has reached it. */
async function crashAtPoint(name: 'decisions' | 'audit'): Promise<void> {
  const service = product.processOf(name);
  await armCrash(product, name, name === 'audit' ? 'handled' : 'committed');
  await service.exited;
  await service.restart();
}

const victims: (() => Promise<void>)[] = [
  ...(['decisions', 'audit', 'accounts', 'gateway'] as const).map((name) => () => product.kill(name)),
  ...(['nats', 'mongo', 'redis'] as const).map((name) => () => product.killStore(name)),
  ...(['decisions', 'audit'] as const).map((name) => () => crashAtPoint(name)),
];

describe(`${ROUNDS * victims.length} kills under load (seed ${SEED})`, () => {
  it('lose no acknowledged write and no audit entry, and repeat none', async () => {
    const random = seeded(SEED);
    const log = followEventLog(product);
    const { services, key, workspaceId, directory } = product;
    const baseUrls = [services.baseUrl];
    const writers = startWriters({ count: WRITERS, baseUrls, key, workspaceId, directory });
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
