import { createWaymarkClient, iterate } from '@waymark/client';
import { quantile } from '../support/quantile.ts';
import { machine } from '../support/table.ts';
import { startTransferStand } from '../transfer/installation.ts';

/**
 * `npm run bench:mirror [decisions] [polls]`: copies all decisions of a workspace through the gateway as
 * docs/guide/sync.md says, and then asks what has changed since.
 */
const DECISIONS = Number(process.argv[2] ?? 100_000);
const POLLS = Number(process.argv[3] ?? 50);
const PAGE = 500;

const stand = await startTransferStand(DECISIONS);
try {
  const client = createWaymarkClient({ baseUrl: stand.product.services.baseUrl, apiKey: stand.full.key });
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
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q).toFixed(1));
  console.log(machine());
  console.log(
    `${DECISIONS} decisions in ${seconds.toFixed(1)} s; a poll without changes: p50 ${p50} ms, p99 ${p99} ms`,
  );
} finally {
  await stand.stop();
}
