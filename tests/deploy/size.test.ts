import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { type ServiceName, services } from '@waymark/contracts';
import { parse, parseAllDocuments } from 'yaml';
import { waymark } from '../../apps/cli/test/run.ts';
import { chart, type Manifest, prepareTools, root, template } from './support/render-chart.ts';

const names = Object.keys(services) as ServiceName[];
const profiles = readdirSync(join(chart, 'profiles'));

const size = (...args: string[]) => waymark({}, 'size', ...args);
const given = (rps: number, decisions = 1_000, endpoints = 1) =>
  Object.entries({ rps, decisions, endpoints }).flatMap(([name, value]) => [`--${name}`, String(value)]);
const replicasIn = ({ text }: { text: string }): Record<string, number> =>
  Object.fromEntries(
    Object.entries<{ replicas: number }>(parse(text).services).map(([name, each]) => [name, each.replicas]),
  );

describe('waymark size', () => {
  it('gives each service two replicas, and more to those that a higher load needs', async () => {
    const little = await size(...given(1));
    expect(little.code).toBe(0);
    expect(replicasIn(little)).toEqual(Object.fromEntries(names.map((name) => [name, 2])));
    const [some, much] = [replicasIn(await size(...given(1_000))), replicasIn(await size(...given(5_000)))];
    expect(some['decisions']).toBeGreaterThan(2);
    for (const name of names) expect(much[name]).toBeGreaterThanOrEqual(some[name]!);
    expect(much['gateway']).toBeGreaterThan(some['gateway']!);
    // Nothing in these requests concerns threads.
    expect(much['threads']).toBe(2);
  });

  it('counts deliveries for each endpoint, and changes for whoever consumes them', async () => {
    const few = replicasIn(await size(...given(1_000, 1_000, 0)));
    const many = replicasIn(await size(...given(1_000, 1_000, 30)));
    expect(many['webhooks']).toBeGreaterThan(few['webhooks']!);
    expect(many['gateway']).toBe(few['gateway']);
    const written = replicasIn(await size(...given(1_000, 1_000, 0), '--writes', '100'));
    expect(written['audit']).toBeGreaterThanOrEqual(few['audit']!);
  });

  it('grows disk and memory with what is stored', async () => {
    const [small, large] = [
      parse((await size(...given(10))).text),
      parse((await size(...given(10, 5_000_000))).text),
    ];
    expect(large.services.search.indexMebibytes).toBeGreaterThan(small.services.search.indexMebibytes);
    expect((await size(...given(10, 5_000_000))).text).toMatch(
      /^# MongoDB needs \d+m of CPU and [1-9]\d+ GiB/m,
    );
  });

  it('refuses one pod for more than it can do, and arguments that are no numbers', async () => {
    const refused = await size(...given(1_000), '--single');
    expect(refused).toEqual({ code: 1, text: expect.stringContaining('leave out --single') });
    const large = await size(...given(1, 5_000_000), '--single');
    expect(large).toEqual({ code: 1, text: expect.stringContaining('leave out --single') });
    expect((await size(...given(1), '--writes', '101')).text).toContain('at most 100');
    expect((await size('--rps', 'many', '--decisions', '1', '--endpoints', '1')).code).toBe(1);
    expect((await size('--rps', '1')).text).toContain('--decisions');
  });
});

describe.each(profiles)('the profile %s', (profile) => {
  const text = readFileSync(join(chart, 'profiles', profile), 'utf8');
  beforeAll(prepareTools);

  test('is what the command in its first line prints', async () => {
    const [, args] = /^# waymark size (.+)$/m.exec(text)!;
    expect(await size(...args!.split(' '))).toEqual({ code: 0, text: text.trimEnd() });
  });

  test('is accepted by the chart', async () => {
    const values = ['-f', join(root, 'tests/deploy/values/evaluation.yaml')];
    const { code, stdout } = await template([...values, '-f', join(chart, 'profiles', profile)]);
    expect(code).toBe(0);
    const deployments = parseAllDocuments(stdout)
      .flatMap((document) => (document.toJS() as Manifest | null) ?? [])
      .filter(({ kind }) => kind === 'Deployment');
    if (parse(text).mode === 'single') {
      expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['waymark-single']);
      return;
    }
    const expected = replicasIn({ text });
    for (const { metadata, spec } of deployments)
      expect([metadata.name, spec.replicas]).toEqual([
        metadata.name,
        expected[metadata.name.replace('waymark-', '')],
      ]);
  });
});
