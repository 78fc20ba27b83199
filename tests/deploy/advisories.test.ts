import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findRepositoryRoot } from '@waymark/local-stack';
import { parse } from 'yaml';

const root = findRepositoryRoot();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Advisory {
  product: string;
  id: string;
  summary: string;
  /** In OSV's form: each version after `introduced`, until `fixed` or after `last_affected`, is affected. */
  events: { introduced?: string; fixed?: string; last_affected?: string }[];
}
const [, ...lines] = read('deploy/advisories.ndjson').trim().split('\n');
const advisories = lines.map((line) => JSON.parse(line) as Advisory);

const { evaluation } = parse(read('deploy/helm/waymark/values.yaml'));
const versionOf = (image: string) => /^[a-z]+:(\d+\.\d+\.\d+)/.exec(image)![1]!;
/** Compose has the same images as the chart (compose.test.ts). */
const pins: [string, string][] = [
  ['node', read('.node-version').trim()],
  ['node', JSON.parse(read('package.json')).devDependencies.node],
  ['node', /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(read('deploy/docker/Dockerfile'))![1]!],
  ['mongodb', versionOf(evaluation.mongodb.image)],
  ['redis', versionOf(evaluation.redis.image)],
  ['nats', versionOf(evaluation.nats.image)],
];

/** Advisories that hold for a pin and cannot be exploited here, or have no fix in its line of releases. */
const accepted: Record<string, string> = {};

const compare = new Intl.Collator('en', { numeric: true }).compare;

function isAffected(version: string, { events }: Advisory): boolean {
  let affected = false;
  for (const { introduced, fixed, last_affected } of events) {
    if (introduced !== undefined && compare(version, introduced) >= 0) affected = true;
    if (fixed !== undefined && compare(version, fixed) >= 0) affected = false;
    if (last_affected !== undefined && compare(version, last_affected) > 0) affected = false;
  }
  return affected;
}

const found = (product: string, version: string) =>
  advisories.filter((advisory) => advisory.product === product && isAffected(version, advisory));

describe('the pinned version', () => {
  test.each(pins)('of %s, %s, has no known advisory but the accepted ones', (product, version) => {
    const open = found(product, version).filter(({ id }) => !(id in accepted));
    expect(open.map(({ id, summary }) => `${id} ${summary}`)).toEqual([]);
  });

  test('has every accepted advisory: one that is fixed need not be accepted', () => {
    const ids = pins.flatMap(([product, version]) => found(product, version).map(({ id }) => id));
    expect([...new Set(ids)].sort()).toEqual(Object.keys(accepted).sort());
  });

  test.each([
    ['node', '24.9.0', 'BIT-node-2025-55130'],
    ['mongodb', '6.0.19', 'BIT-mongodb-2025-14847'],
    ['redis', '7.4.2', 'BIT-redis-2025-49844'],
    ['nats', '2.11.4', 'BIT-nats-2026-27571'],
  ])('would be reported if it was %s %s', (product, version, id) => {
    expect(found(product, version).map((each) => each.id)).toContain(id);
  });
});
