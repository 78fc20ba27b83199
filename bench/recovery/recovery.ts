import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { httpCall } from '@waymark/testing';
import { createProgram } from '../../apps/cli/src/program/program.ts';
import { runProgram } from '../../apps/cli/src/program/run-program.ts';
import { startBench } from '../support/bench.ts';
import { makeCalls } from '../support/callers.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:recovery [decisions]`: kills MongoDB and loses the volumes of all stores, while a client
 * writes. Prints the time until a write is acknowledged again and how many acknowledged writes are gone.
 */
const DECISIONS = Number(process.argv[2] ?? 10_000);
const AFTER_BACKUP = 500;
const CALLERS = 16;
const RETRY_MS = 100;
const CALL_LIMIT_MS = 5_000;

const bench = await startBench({ env: { LOG_LEVEL: 'warn' } });
const { services, stores, directory, secrets } = bench;
const { workspaceId, cookie } = await bench.workspace();
const call = (method: string, path: string, body?: object) =>
  httpCall(bench.baseUrl, method, path, {
    agent: bench.agent,
    headers: { cookie },
    query: { workspaceId },
    ...(body && { body }),
  });
const acknowledged = new Set<string>();

async function write(): Promise<boolean> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, CALL_LIMIT_MS, null).unref());
  const answered = await Promise.race([
    call('POST', '/decisions', { title: 'Kept or not' }).catch(() => null),
    late,
  ]);
  if (answered?.status !== 201) return false;
  acknowledged.add(answered.body.id);
  return true;
}

async function secondsUntilWritten(startedAt: number): Promise<number> {
  while (!(await write())) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return (performance.now() - startedAt) / 1_000;
}

/** The number of acknowledged decisions that the export lacks, and whether the chain is valid. */
async function check(): Promise<[lost: number, chain: string]> {
  const { text } = await call('GET', '/export');
  const lost = [...acknowledged].filter((id) => !text.includes(id)).length;
  const { body } = await call('GET', '/audit-log/verify');
  return [lost, body.valid === true ? 'valid' : JSON.stringify(body.fault ?? body)];
}

async function waymark(...args: string[]): Promise<void> {
  const env = {
    ...secrets,
    MONGODB_URL: stores.mongoUrl,
    NATS_URL: stores.natsUrl,
    REDIS_URL: stores.redisUrl,
  };
  const code = await runProgram(createProgram, args, { env, out: () => undefined, error: console.error });
  if (code !== 0) throw new Error(`waymark ${args.join(' ')} ended with ${code}`);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
}

try {
  await makeCalls(DECISIONS, CALLERS, write);
  printHead([
    machine(),
    's until a write is acknowledged',
    'acknowledged writes',
    'of them lost',
    'audit chain',
  ]);
  const { mongo, nats } = stores as {
    mongo: NonNullable<typeof stores.mongo>;
    nats: NonNullable<typeof stores.nats>;
  };

  let startedAt = performance.now();
  await mongo.kill();
  await mongo.restart();
  const afterKill = await secondsUntilWritten(startedAt);
  printRow(['MongoDB killed and started again', afterKill.toFixed(1), acknowledged.size, ...(await check())]);

  const backup = join(directory, 'backup');
  const backupSeconds = await seconds(() => waymark('backup', backup));
  await makeCalls(AFTER_BACKUP, CALLERS, write);
  startedAt = performance.now();
  await Promise.all(services.processes.map(({ process: running }) => running.kill()));
  await Promise.all([mongo.kill(), nats.kill()]);
  empty(join(directory, 'data', 'mongo', 'db'));
  empty(join(directory, 'data', 'nats', 'jetstream'));
  await Promise.all([mongo.restart(), nats.restart()]);
  const restoreSeconds = await seconds(() => waymark('restore', backup));
  await Promise.all(services.processes.map(({ process: running }) => running.restart()));
  const afterLoss = await secondsUntilWritten(startedAt);
  const what = `all volumes lost: backup of ${DECISIONS} restored (backup ${backupSeconds.toFixed(1)} s, restore ${restoreSeconds.toFixed(1)} s, ${AFTER_BACKUP} writes after it)`;
  printRow([what, afterLoss.toFixed(1), acknowledged.size, ...(await check())]);
} finally {
  await bench.stop();
}
