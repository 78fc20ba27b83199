import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ServiceName } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { startProduct } from './support/product.ts';

const product = await startProduct();
afterAll(() => product.stop());

async function scrape(service: ServiceName): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${product.running[service]!.adminPort}/metrics`);
  return response.text();
}
const namesIn = (text: string) =>
  [...text.matchAll(/^# TYPE (waymark_\w+)/gm)].map((found) => found[1]!).sort();

interface Documented {
  name: string;
  labels: string[];
  of: string[];
}

const names = () => Object.keys(product.running) as ServiceName[];

function documented(): Documented[] {
  const text = readFileSync(new URL('../docs/operating/metrics.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| `(waymark_\w+)` \| ([\w, ]*)\| ([\w, ]+)\|/gm)].map(
    ([, name = '', labels = '', of = '']) => ({
      name,
      labels: labels
        .split(',')
        .map((label) => label.trim())
        .filter(Boolean),
      of: of.split(',').map((one) => one.trim()),
    }),
  );
}

/** The metrics that a process registers without having values for them yet. */
const COMMON = [
  'waymark_consumer_lag',
  'waymark_database_older',
  'waymark_outbox_pending',
  'waymark_outbox_oldest_pending_seconds',
  'waymark_stream_bytes',
  'waymark_stream_max_bytes',
  'waymark_events_parked',
  'waymark_mail_oldest_waiting_seconds',
];

describe('metrics', () => {
  it('are the ones that the operator’s page lists for each service', async () => {
    const rows = documented();
    for (const service of names()) {
      const applies = ({ name, of }: Documented) =>
        of.includes('all') || of.includes(service) || COMMON.includes(name);
      const expected = rows.filter(applies).map(({ name }) => name);
      expect({ service, metrics: namesIn(await scrape(service)) }).toEqual({
        service,
        metrics: expected.sort(),
      });
    }
  });

  it('have the labels that the page lists', async () => {
    const owner = await product.workspace();
    const body = { title: 'Measure' };
    await product.call('POST', `/decisions?workspaceId=${owner.workspaceId}`, { key: owner.key, body });
    await eventually(async () => /^waymark_events_handled_total\{.*handled/m.test(await scrape('audit')));
    const texts = (await Promise.all(names().map(scrape))).join('\n');
    for (const { name, labels } of documented()) {
      const samples = [...texts.matchAll(new RegExp(`^${name}(?:_count)?(?:\\{(.*?)\\})? `, 'gm'))];
      const seen = samples.map(([, found = '']) =>
        [...found.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((label) => label !== 'service'),
      );
      for (const found of seen)
        expect({ name, labels: found.sort() }).toEqual({ name, labels: [...labels].sort() });
    }
  });

  it('report the running version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    for (const service of names())
      expect(await scrape(service)).toContain(
        `waymark_build_info{version="${version}",service="${service}"} 1\n`,
      );
  });

  it('report the stores, the outbox and the consumer lag', async () => {
    expect(await scrape('decisions')).toMatch(/^waymark_store_up\{store="mongodb",service="decisions"\} 1$/m);
    expect(await scrape('decisions')).toMatch(/^waymark_store_up\{store="nats",service="decisions"\} 1$/m);
    expect(await scrape('gateway')).toMatch(/^waymark_store_up\{store="redis",service="gateway"\} 1$/m);
    await eventually(async () =>
      /^waymark_outbox_pending\{service="decisions"\} 0$/m.test(await scrape('decisions')),
    );
    expect(await scrape('decisions')).toMatch(/^waymark_outbox_oldest_pending_seconds\{.*\} 0$/m);
    expect(await scrape('audit')).toMatch(/^waymark_consumer_lag\{consumer="audit",service="audit"\} \d+$/m);
    expect(await scrape('decisions')).toMatch(/^waymark_stream_bytes\{service="decisions"\} [1-9]\d*$/m);
    expect(await scrape('decisions')).toMatch(
      /^waymark_stream_max_bytes\{service="decisions"\} 8589934592$/m,
    );
    expect(await scrape('gateway')).toMatch(
      /^waymark_request_duration_seconds_count\{.*operation="createDecision",status="201".*\} 1$/m,
    );
  });
});
