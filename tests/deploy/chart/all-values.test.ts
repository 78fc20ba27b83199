import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { valueSets } from '../support/manifests.ts';
import { chart, from, prepareTools, root, template } from '../support/render-chart.ts';

beforeAll(prepareTools);

/** Values that would disturb other tests in a set: by path, the set and what is added, as JSON. */
const added: Record<string, [set: string, ...values: string[]]> = {
  fullnameOverride: ['minimal', 'fullnameOverride="work-items"'],
  'secretFiles.injected': ['secret-files', 'secretFiles.injected=true'],
  'defaults.autoscaling.requestsInFlight.metric': ['ha', 'defaults.autoscaling.requestsInFlight.metric="a"'],
  'defaults.autoscaling.requestsInFlight.target': [
    'ha',
    'defaults.autoscaling.requestsInFlight.metric="a"',
    'defaults.autoscaling.requestsInFlight.target=5',
  ],
  'defaults.serviceAccountName': ['minimal', 'defaults.serviceAccountName="existing"'],
  'services.workflows': ['minimal', 'services.workflows={"replicas":3}'],
  'services.threads': ['minimal', 'services.threads={"replicas":3}'],
  'services.transfer': ['minimal', 'services.transfer={"replicas":3}'],
  'services.notifications': ['minimal', 'services.notifications={"replicas":3}'],
};
/** A value that can only be what it is. */
const CONSTANT = 'podSecurityContext.runAsNonRoot';

/** Returns the leaves of the values, empty lists and objects among them, by path. */
function leavesOf(value: unknown, path = ''): [path: string, standard: unknown][] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  if (entries.length === 0) return [[path, value]];
  return entries.flatMap(([name, each]) => leavesOf(each, path === '' ? name : `${path}.${name}`));
}

const valueAt = (values: unknown, path: string) =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values);

const leaves = leavesOf(parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))).filter(
  ([path]) => path !== CONSTANT,
);
const sets = valueSets.map((name): [name: string, values: unknown] => [
  name,
  parse(readFileSync(join(root, `tests/deploy/values/${name}.yaml`), 'utf8')),
]);

/** Returns the sets that give a leaf another value than the standard one. */
function setting([path, standard]: [string, unknown]): [set: string, ...values: string[]][] {
  if (added[path]) return [added[path]];
  return sets
    .filter(([, values]) => {
      const value = valueAt(values, path);
      return value !== undefined && JSON.stringify(value) !== JSON.stringify(standard);
    })
    .map(([set]): [string] => [set]);
}

/**
 * Renders without the generated secrets, which differ each time, and without comments and blank lines. Wrong
 * values render nothing.
 */
async function rendered(set: string, ...args: string[]): Promise<string> {
  const { code, stdout } = await template([...from(set), ...args]);
  const manifests = code === 0 ? stdout.split(/^---$/m) : [];
  const lasting = manifests.filter((manifest) => !/^kind: Secret$/m.test(manifest));
  return lasting.join('').replaceAll(/^\s*(#.*)?\n/gm, '');
}

test('a set of tests/deploy/values gives each value', () => {
  expect(leaves.length).toBeGreaterThan(150);
  expect(leaves.filter((leaf) => setting(leaf).length === 0).map(([path]) => path)).toEqual([]);
});

test('each value changes what is rendered', async () => {
  const ineffective: string[] = [];
  const remaining = [...leaves];
  const before = new Map<string, Promise<string>>();
  async function renderLeaves(): Promise<void> {
    for (let leaf = remaining.pop(); leaf; leaf = remaining.pop()) {
      const [path, standard] = leaf;
      let isEffective = false;
      for (const [set, ...values] of setting(leaf)) {
        const args = values.flatMap((value) => ['--set-json', value]);
        const key = [set, ...values].join();
        before.set(key, before.get(key) ?? rendered(set, ...args));
        const reset = await rendered(set, ...args, '--set-json', `${path}=${JSON.stringify(standard)}`);
        isEffective = reset !== (await before.get(key));
        if (isEffective) break;
      }
      if (!isEffective) ineffective.push(path);
    }
  }
  await Promise.all([renderLeaves(), renderLeaves()]);
  expect(ineffective).toEqual([]);
});
