import { existsSync } from 'node:fs';
import { readlink, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { storingServices } from '@waymark/contracts';
import { findRepositoryRoot, type ManagedProcess } from '@waymark/local-stack';
import { eventually, patience, startWebhookReceiver, testFolder } from '@waymark/testing';
import { unpackPreviousRelease } from '../../dev/release/previous-release.ts';
import { requestsOfEveryService } from '../crash/support/every-service.ts';
import { roundRobin, startProductProcesses } from '../crash/support/product-processes.ts';
import { allDecisions, auditedDecisions, differences, none } from '../crash/support/records.ts';
import { startTraffic } from '../crash/support/steady-traffic.ts';

const REQUESTS_PER_SECOND = 50;
const EXIT_LIMIT_MS = patience(20_000);
/** Requests that must be sent before and after the processes are replaced. */
const AROUND = 50;
/** Processes that are replaced together, each of another service. */
const AT_ONCE = 2;

const directory = testFolder();
/** A process that starts runs the release behind this link. */
const installed = () => join(directory, 'installed');
const unpacked = await unpackPreviousRelease(directory);
if (!unpacked) console.error('This clone lacks the previous release: the processes are restarted instead.');
const previous = unpacked ?? findRepositoryRoot();
await install(previous);
const receiver = await startWebhookReceiver();
const env = { DRAIN_DELAY_MS: '1000' };
// A service that is new in this release is started after the upgrade of the others.
const only = storingServices.filter((service) => existsSync(join(previous, 'services', service)));
const product = await startProductProcesses({ root: installed(), only, replicas: 2, env });
afterAll(async () => {
  await product.stop();
  await receiver.stop();
});

async function install(root: string): Promise<void> {
  const link = join(directory, 'next');
  await symlink(root, link);
  await rename(link, installed());
}

/** Restarts a process that has ended, with the release that is installed. */
async function restart(process: ManagedProcess, root: string): Promise<void> {
  await process.restart();
  expect(await readlink(`/proc/${process.pid}/cwd`)).toBe(root);
}

it(`fails none of ${REQUESTS_PER_SECOND} requests/s and loses nothing while every process is upgraded, and then set back`, async () => {
  const kinds = await requestsOfEveryService(product, receiver.url);
  const traffic = await startTraffic(product, REQUESTS_PER_SECOND, kinds);
  try {
    for (const root of [findRepositoryRoot(), previous]) {
      await install(root);
      await traffic.afterMore(AROUND);
      let starting: Promise<unknown> = Promise.resolve();
      const order = roundRobin(product);
      for (let at = 0; at < order.length; at += AT_ONCE) {
        const replaced = order.slice(at, at + AT_ONCE);
        const services = replaced.map(({ service }) => service);
        const startedAt = performance.now();
        const exiting = replaced.map(async ({ process }) => {
          const { code } = await process.stop(EXIT_LIMIT_MS);
          return { code, isInTime: performance.now() - startedAt < EXIT_LIMIT_MS };
        });
        // Meanwhile the processes before them start.
        const [exits] = await Promise.all([Promise.all(exiting), starting]);
        const exit = { code: 0, isInTime: true };
        expect([root, services, exits]).toEqual([root, services, replaced.map(() => exit)]);
        expect([root, services, traffic.failures]).toEqual([root, services, []]);
        starting = Promise.all(replaced.map(({ process }) => restart(process, root)));
      }
      await starting;
      await traffic.afterMore(AROUND);
    }
  } finally {
    await traffic.stop();
  }
  expect(traffic.failures).toEqual([]);
  expect([...traffic.answered.keys()].sort()).toEqual(Object.keys(kinds).sort());

  const stored = (await allDecisions(product)).map(({ id }) => id);
  expect(stored).toHaveLength(traffic.answered.get('decisions: write')!);
  await eventually(async () => expect(differences(stored, await auditedDecisions(product))).toEqual(none));
  const chain = await product.call('GET', '/audit-log/verify', {
    query: { workspaceId: product.workspaceId },
  });
  expect(chain.body).toMatchObject({ valid: true });
});
