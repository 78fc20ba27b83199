import { newId } from '@waymark/contracts';
import { type Document, MongoClient } from 'mongodb';
import { callApi } from '../dev/api.ts';
import { newWorkspace } from '../dev/new-workspace.ts';
import type { ServiceProcess } from '../dev/services.ts';
import { startTemporaryProduct } from '../dev/temporary-product.ts';
import { machine } from './table.ts';

/**
 * `npm run bench:export -- [decisions]`: GET /export through the gateway, rows a second, and what memory and processor time
 * each process takes.
 */
const decisions = Number(process.argv[2] ?? 1_000_000);
const BATCH = 10_000;
const SAMPLE_MS = 100;

const product = await startTemporaryProduct({
  only: ['accounts', 'decisions', 'workflows', 'threads', 'transfer'],
  env: { LIMIT_SCALE: '1000000' },
});
const { services, stores } = product;
const mongo = new MongoClient(stores.mongoUrl);
const measured = services.processes.filter(({ service }) =>
  ['transfer', 'decisions', 'gateway'].includes(service),
);

/** Copies of one decision, as the service stored it. */
async function fill(id: string): Promise<void> {
  const collection = mongo.db('waymark_decisions').collection<{ _id: string }>('decisions');
  const { _id, ...one } = (await collection.findOne({ _id: id })) as Document & { _id: string };
  for (let stored = 1; stored < decisions; stored += BATCH) {
    const size = Math.min(BATCH, decisions - stored);
    const copies = Array.from({ length: size }, (_, i) => ({
      ...one,
      _id: newId(),
      title: `Decision ${stored + i}`,
    }));
    await collection.insertMany(copies, { ordered: false });
  }
}

async function usage({ adminUrl }: ServiceProcess): Promise<{ residentMiB: number; cpuSeconds: number }> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    residentMiB: metric('process_resident_memory_bytes') / 1_048_576,
    cpuSeconds: metric('process_cpu_seconds_total'),
  };
}

async function exportOnce(url: string, headers: Record<string, string>) {
  const startedAt = performance.now();
  const response = await fetch(url, { headers });
  if (!response.ok || !response.body) throw new Error(`GET /export answered ${response.status}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return { bytes, seconds: (performance.now() - startedAt) / 1_000 };
}

try {
  const { baseUrl } = services;
  const { workspaceId, key } = await newWorkspace(baseUrl, 'bench');
  const headers = { authorization: `Bearer ${key}` };
  const first = await callApi<{ id: string }>(`${baseUrl}/decisions`, {
    method: 'POST',
    headers,
    body: {
      workspaceId,
      title: 'Which store keeps our decisions?',
      description: 'The store must keep what it acknowledged through any crash, and run on one laptop.',
      optionsConsidered: ['MongoDB', 'PostgreSQL'],
      tags: ['infrastructure'],
    },
  });
  const url = `${baseUrl}/export?workspaceId=${workspaceId}`;
  // A warm process is what memory is measured against: the first export of a process takes its code and pools.
  await exportOnce(url, headers);
  await fill(first.body.id);
  const before = await Promise.all(measured.map(usage));
  const peaks = before.map(({ residentMiB }) => residentMiB);
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      for (const [i, one] of measured.entries())
        peaks[i] = Math.max(peaks[i]!, (await usage(one)).residentMiB);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  const { bytes, seconds } = await exportOnce(url, headers);
  isOver = true;
  await sampling;
  const after = await Promise.all(measured.map(usage));
  console.log(`${machine()}, Node ${process.version}, ${decisions} decisions`);
  console.log(
    `${(bytes / 1_048_576).toFixed(0)} MiB in ${seconds.toFixed(1)} s: ${Math.round(decisions / seconds)} rows/s`,
  );
  for (const [i, { service }] of measured.entries()) {
    const { residentMiB, cpuSeconds } = before[i]!;
    const cpu = after[i]!.cpuSeconds - cpuSeconds;
    console.log(
      `${service.padEnd(10)} ${residentMiB.toFixed(0)} MiB before, ${peaks[i]!.toFixed(0)} MiB at most; ${cpu.toFixed(1)} s of processor time`,
    );
  }
} finally {
  await mongo.close();
  await product.stop();
}
