import { createWaymarkClient, iterate } from '@waymark/client';
import { percentiles } from '../support/quantile.ts';
import { machine } from '../support/table.ts';
import { startTransferStand } from '../transfer/installation.ts';

/**
 * `npm run bench:mirror [decisions] [polls]`: copies all decisions of a workspace through the gateway as
 * docs/guide/sync.md says, and then asks what has changed since.
 */
const DECISIONS = Number(process.argv[2] ?? 100_000);
const POLLS = Number(process.argv[3] ?? 50);
const PAGE = 500;

const { bench, full } = await startTransferStand(DECISIONS);
try {
  const client = createWaymarkClient({ baseUrl: bench.baseUrl, apiKey: full.key });
  const since = new Date().toISOString();
  const startedAtMs = performance.now();
  const mirror = new Map<string, object>();
  for await (const decision of iterate(client, '/decisions', { params: { query: { limit: PAGE } } })) {
    mirror.set(decision.id, decision);
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  if (mirror.size !== DECISIONS) throw new Error(`of ${DECISIONS} decisions came ${mirror.size}`);

  const times: number[] = [];
  for (let poll = 0; poll < POLLS; poll += 1) {
    const pollStartedAtMs = performance.now();
    const changed = iterate(client, '/decisions', { params: { query: { updatedSince: since } } });
    for await (const { id } of changed) mirror.delete(id);
    times.push(performance.now() - pollStartedAtMs);
  }
  if (mirror.size !== DECISIONS) throw new Error(`${DECISIONS - mirror.size} decisions changed`);
  console.log(machine());
  const polls = percentiles(times, [0.5, 0.99]);
  console.log(`${DECISIONS} decisions in ${seconds.toFixed(1)} s; a poll without changes: ${polls}`);
} finally {
  await bench.stop();
}
