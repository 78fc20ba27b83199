import { execFileSync } from 'node:child_process';
import { afterAll, describe, it } from '@jest/globals';
import { keepRunning, type StoreProcess } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { startProductProcesses } from './support/product-processes.ts';
import { expectNothingLost } from './support/records.ts';
import { startWriters } from './support/writers.ts';

/** A file may not grow beyond this: most writes of both stores fail, as they do on a full disk. */
const FILE_BYTES_MAX = 150_000;

const releases: (() => void)[] = [];
const product = await startProductProcesses();
const { mongo, nats } = product.stores;
releases.push(...[mongo!, nats!].map((store) => keepRunning(store, () => undefined, { checkMs: 250 })));
afterAll(async () => {
  for (const release of releases) release();
  await product.stop();
});

/** Fails the store's writes until it has been restarted: the limit is the process's own. */
async function refuseWrites(store: StoreProcess): Promise<void> {
  const { pid } = store;
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${FILE_BYTES_MAX}:unlimited`]);
  await eventually(() => store.pid !== pid);
}

describe('a disk that is full under all data', () => {
  it('loses no acknowledged write and no audit entry, and needs nobody to recover', async () => {
    const { services, key, workspaceId, directory, stores } = product;
    const writers = startWriters({ count: 4, baseUrls: [services.baseUrl], key, workspaceId, directory });
    await writers.afterMore(50);
    await Promise.all([refuseWrites(stores.nats!), refuseWrites(stores.mongo!)]);
    await writers.afterMore(50);
    await writers.stop();
    await expectNothingLost(product, writers.ledger);
  });
});
