import { newId } from '@waymark/contracts';
import { eventually, sampleDecision } from '@waymark/testing';
import type { Document } from 'mongodb';
import { startBench } from '../support/bench.ts';
import { percentiles } from '../support/quantile.ts';
import { machine } from '../support/table.ts';
import { randomNumbers } from '../support/texts.ts';

/**
 * `npm run bench:event-log [events] [pages]`: reads pages of 500 events from random positions of a log
 * through the gateway, one after the other.
 */
const EVENTS = Number(process.argv[2] ?? 1_000_000);
const PAGES = Number(process.argv[3] ?? 1_000);
const PAGE = 500;
const INSERTED_AT_ONCE = 10_000;
const WARM_PAGES = 50;

const bench = await startBench({ only: ['accounts', 'audit'] });
try {
  const { workspaceId: workspace_id, call } = await bench.workspace();
  const log = bench.mongo.db('waymark_audit').collection<Document>('event_log');
  const data = JSON.stringify(sampleDecision());
  const logged_at = new Date();
  // The last event of a new workspace.
  await eventually(async () => (await log.findOne({ workspace_id, type: 'api_key.created' })) !== null);
  await log.deleteMany({ workspace_id });
  for (let first = 1; first <= EVENTS; first += INSERTED_AT_ONCE) {
    const documents = Array.from({ length: Math.min(INSERTED_AT_ONCE, EVENTS - first + 1) }, (_, i) => ({
      ...{
        _id: newId() as never,
        workspace_id,
        number: first + i,
        type: 'decision.updated',
        data,
        logged_at,
      },
      created_at: logged_at.toISOString(),
      actor: { type: 'api_key', id: newId(), name: 'Release bot' },
      subject: { type: 'decision', id: newId(), version: 2 },
      request_id: newId(),
    }));
    await log.insertMany(documents, { ordered: false });
  }
  const counter = { $set: { number: 0, last: EVENTS } };
  await log.updateOne({ _id: workspace_id as never, workspace_id }, counter, { upsert: true });

  const random = randomNumbers(1);
  const times: number[] = [];
  for (let page = 0; page < WARM_PAGES + PAGES; page += 1) {
    const after = Math.floor(random() * (EVENTS - PAGE));
    const startedAtMs = performance.now();
    const { data: found } = await call('GET', '/event-log', { query: { after, limit: PAGE } });
    const ms = performance.now() - startedAtMs;
    if (found.length !== PAGE) throw new Error(`${found.length} events after ${after}`);
    if (page >= WARM_PAGES) times.push(ms);
  }
  console.log(machine());
  console.log(`${PAGES} pages of ${PAGE} of ${EVENTS} events: ${percentiles(times)}`);
} finally {
  await bench.stop();
}
