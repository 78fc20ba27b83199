import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findRepositoryRoot } from '@waymark/local-stack';
import { answer, startWebhookReceiver } from '@waymark/testing';
import type { Measured } from '../../apps/cli/src/size/size.ts';
import { type BenchWorkspace, startBench } from '../support/bench.ts';
import { makeCalls } from '../support/callers.ts';
import { memoryOf } from '../support/memory.ts';
import { processorMs } from '../support/processor-ms.ts';

/**
 * `npm run bench:size [calls]`: measures the processor time of every process for each kind of request, and
 * writes apps/cli/src/size/measured.ts, from which `waymark size` computes. Processor time depends little
 * on what else the machine does.
 */
const CALLS = Number(process.argv[2] ?? 4_000);
const CALLERS = 16;
/** Several, because the difference of two measurements shows little of one delivery. */
const ENDPOINTS = 4;
/** Less is noise. */
const LEAST_MS = 0.02;
const WARM_UP = 2_000;
/** Enough for audit, search and webhooks to handle what was written. */
const SETTLE_MS = 8_000;
const IDLE_MS = 10_000;

const bench = await startBench({ env: { LOG_LEVEL: 'warn' } });
const { stores, mongo } = bench;
const pids: Record<string, number> = {
  ...Object.fromEntries(bench.services.processes.map(({ service, process }) => [service, process.pid])),
  ...{ mongodb: stores.mongo!.pid, redis: stores.redis!.pid, nats: stores.nats!.pid },
};
const receiver = await startWebhookReceiver();
receiver.behave(answer(204));

const usage = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(pids).map(async ([name, pid]) => [name, await processorMs(pid)] as const),
    ),
  );

let idlePerMs: Record<string, number> = {};

/** The processor time in ms of each process for one call, without what it takes at rest. */
async function spentOn(one: (n: number) => Promise<unknown>): Promise<Record<string, number>> {
  await makeCalls(WARM_UP, CALLERS, one);
  await delay(SETTLE_MS);
  const [before, startedAt] = [await usage(), performance.now()];
  await makeCalls(CALLS, CALLERS, one);
  await delay(SETTLE_MS);
  const [after, tookMs] = [await usage(), performance.now() - startedAt];
  const perCall = Object.keys(pids).map((name) => {
    const ms = after[name]! - before[name]! - (idlePerMs[name] ?? 0) * tookMs;
    return [name, Math.max(0, Math.round((ms / CALLS) * 1_000) / 1_000)] as const;
  });
  return Object.fromEntries(perCall.filter(([, ms]) => ms >= LEAST_MS));
}

try {
  const quiet = await bench.workspace('quiet');
  const announced = await bench.workspace('announced');
  await delay(SETTLE_MS);
  const before = await usage();
  await delay(IDLE_MS);
  const after = await usage();
  idlePerMs = Object.fromEntries(
    Object.keys(pids).map((name) => [name, (after[name]! - before[name]!) / IDLE_MS]),
  );
  const atRestMiB = Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, Math.round(memoryOf(pid).rss)]),
  );
  const rationale =
    'One place for our decisions, one history, and a score that says what a reader will miss. ';
  const decision = (n: number) => ({
    title: `Decision number ${n}`,
    rationale: rationale.repeat(5),
    tags: ['a'],
  });
  const write = (workspace: BenchWorkspace) => (n: number) =>
    workspace.call('POST', '/decisions', { body: decision(n) });
  const { id } = await write(quiet)(0);
  for (let i = 0; i < ENDPOINTS; i += 1) {
    const { workspaceId, cookie } = announced;
    const body = { workspaceId, url: receiver.url, events: ['decision.created'] };
    await bench.call('POST', '/webhooks', { headers: { cookie }, body });
  }

  const ofWrites = await spentOn(write(quiet));
  const ofReads = await spentOn(() => quiet.call('GET', `/decisions/${id}`));
  const ofLists = await spentOn(() => quiet.call('GET', '/decisions'));
  const ofSearches = await spentOn((n) => quiet.call('GET', `/search?q=number%20${n}`));
  const metrics = await (await fetch(`${bench.processOf('search').adminUrl}/metrics`)).text();
  const indexBytes = Number(/^waymark_search_index_bytes\S* (\S+)$/m.exec(metrics)?.[1]);
  const withDelivery = await spentOn(write(announced));
  const ofDeliveries = Object.fromEntries(
    ['webhooks', 'mongodb', 'nats'].map((name) => [
      name,
      Math.max(
        0,
        Math.round((((withDelivery[name] ?? 0) - (ofWrites[name] ?? 0)) / ENDPOINTS) * 1_000) / 1_000,
      ),
    ]),
  );
  let bytes = 0;
  const { databases } = await mongo.db('admin').admin().listDatabases();
  for (const { name } of databases.filter((each) => each.name.startsWith('waymark_'))) {
    const stats = await mongo.db(name).stats();
    bytes += stats['storageSize'] + stats['indexSize'];
  }
  const written = 2 * (CALLS + WARM_UP);
  const measured: Measured = {
    command: 'npm run bench:size',
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus()[0]?.model.trim()}, Node ${process.versions.node}`,
    processorMs: {
      read: ofReads,
      list: ofLists,
      search: ofSearches,
      write: ofWrites,
      delivery: ofDeliveries,
    },
    atRestMiB: atRestMiB as Measured['atRestMiB'],
    storedBytesPerDecision: Math.round(bytes / written),
    // One workspace has an index: nobody has searched the other.
    indexBytesPerDecision: Math.round((indexBytes / written) * 2),
  };
  const file = join(findRepositoryRoot(), 'apps/cli/src/size/measured.ts');
  const text = JSON.stringify(measured, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'");
  const head = `import type { Measured } from './size.ts';\n\n/** Written by \`${measured.command}\`. */\n`;
  writeFileSync(file, `${head}export const measured: Measured = ${text};\n`);
} finally {
  await receiver.stop();
  await bench.stop();
}
