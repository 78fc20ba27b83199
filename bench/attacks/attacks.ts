import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startStores } from '@waymark/local-stack';
import { eventually } from '@waymark/testing';
import { startAttackedProduct } from '../../tests/support/attacks/attacked-product.ts';
import { type Attack, attacksOn } from '../../tests/support/attacks/attacks.ts';
import { quantile } from '../support/quantile.ts';
import { machine, printHead, printRow } from '../support/table.ts';

/**
 * `npm run bench:attacks [rounds] [resource]`: runs the attacks of tests/attacks.long.ts, and measures the
 * reads of a bystander, who sends them at a steady rate: before, from the beginning, and once the attackers
 * have all that they can get. The product is in this process, as in mode single, and so are the attackers:
 * reads wait for both, most of all at the beginning, when each attacker sends several requests at once.
 */
const ROUNDS = Number(process.argv[2] ?? 3);
const ONLY = process.argv[3] ?? '';
const PER_SECOND = 50;
/** The rate of scans and exports: more would keep the process busy by themselves. */
const COSTLY_PER_SECOND = 5;
const SECONDS = 4;
const REST_MS = 1_000;

const directory = await mkdtemp(join(tmpdir(), 'waymark-attacks-'));
const stores = await startStores({ dataDir: directory, log: () => undefined, env: {} });
Object.assign(process.env, {
  MONGODB_URL: stores.mongoUrl,
  REDIS_URL: stores.redisUrl,
  NATS_URL: stores.natsUrl,
});
const at = await startAttackedProduct();
const { attacks, held } = attacksOn(at);

/** What the bystander reads: with the resource, if it serves reads. */
function readOf({ resources: [resource], use }: Attack): () => Promise<unknown> {
  return resource!.startsWith('requests_to_') ? use : attacks[1]!.use;
}

interface Measured {
  ms: number[];
  refused: string[];
}

/** Adds the time of each read since it was due. */
async function measure(attack: Attack, { ms, refused }: Measured): Promise<void> {
  const read = readOf(attack);
  const perSecond = /search|scans|transfer/.test(attack.resources[0]!) ? COSTLY_PER_SECOND : PER_SECOND;
  const startedAtMs = performance.now();
  const reads = Array.from({ length: SECONDS * perSecond }, async (_, n) => {
    const dueMs = startedAtMs + (n * 1_000) / perSecond;
    await delay(Math.max(0, dueMs - performance.now()));
    await read().catch((error: Error) => refused.push(error.message));
    ms.push(performance.now() - dueMs);
  });
  await Promise.all(reads);
}

async function attackOnce(attack: Attack, by: keyof typeof at.attackers, phases: Measured[]): Promise<void> {
  const [before, beginning, during] = phases as [Measured, Measured, Measured];
  await measure(attack, before);
  const [end] = await Promise.all([attack.run(at.attackers[by]), measure(attack, beginning)]);
  await eventually(attack.isFull);
  await measure(attack, during);
  await end();
  for (const resource of attack.resources)
    await eventually(async () => {
      at.drop();
      return (await held(resource)) === 0;
    });
  await delay(REST_MS);
}

try {
  const rates = `${SECONDS} s with ${PER_SECOND} reads a second, ${COSTLY_PER_SECOND} of search and export`;
  console.log(`${machine()}; ${ROUNDS} rounds of ${rates}; milliseconds\n`);
  const columns = ['before', 'beginning', 'during'];
  const named = ['p50', 'p99'].flatMap((share) => columns.map((name) => `${share} ${name}`));
  printHead(['attack', 'by', ...named, 'p99 during / before', 'refused', 'load'], 2);
  for (const attack of attacks.filter(({ resources }) => resources.join().includes(ONLY)))
    for (const by of Object.keys(at.attackers) as (keyof typeof at.attackers)[]) {
      const phases = columns.map((): Measured => ({ ms: [], refused: [] }));
      for (let round = 0; round < ROUNDS; round += 1) await attackOnce(attack, by, phases);
      const of = (share: number) => phases.map(({ ms }) => quantile(ms, share));
      const p99 = of(0.99);
      const times = [...of(0.5), ...p99, p99[2]! / p99[0]!].map((value) => value.toFixed(1));
      const refused = phases.flatMap((phase) => phase.refused);
      printRow([attack.resources.join(', '), by, ...times, refused.length, loadavg()[0]!.toFixed(1)]);
      for (const message of new Set(refused)) console.error(message);
    }
} finally {
  await at.stop();
  await stores.stop();
  await rm(directory, { recursive: true, force: true });
}
