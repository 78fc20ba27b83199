import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { faultsOf, isCustom } from '../support/custom-resources.ts';
import { everySecret, find, names, podOf, type SecretVariable, valueSets } from '../support/manifests.ts';
import { chart, lint, type Manifest, prepareTools, render, validate } from '../support/render-chart.ts';

const folder = testFolder();
beforeAll(prepareTools);

describe.each(valueSets)('the chart with %s', (values) => {
  test('passes helm lint', async () => {
    expect(await lint(values)).toMatchObject({ code: 0 });
  });

  test('keeps secrets out of ConfigMaps and out of plain text in manifests', async () => {
    for (const { data } of (await render(values)).filter(({ kind }) => kind === 'ConfigMap')) {
      for (const name of everySecret) expect(data).not.toHaveProperty(name);
      expect(JSON.stringify(data)).not.toMatch(/mongodb:\/\/|redis:\/\/|nats:\/\//);
    }
  });
});

test('each set of values renders manifests that Kubernetes accepts, field by field', async () => {
  const files: Record<string, Manifest[]> = {};
  for (const values of valueSets) {
    const all = await render(values);
    expect([values, ...all.filter(isCustom).flatMap(faultsOf)]).toEqual([values]);
    files[join(folder, `${values}.json`)] = all.filter((manifest) => !isCustom(manifest));
  }
  const { code, output } = await validate(files);
  expect(output.split('\n').filter((line) => line !== '' && !/^INFO/.test(line))).toEqual([]);
  expect([code, output.match(/^INFO/gm)?.length]).toEqual([0, Object.values(files).flat().length]);
});

test('custom resources match the definitions of their projects, field by field', async () => {
  const custom = (await render('everything-on')).filter(isCustom);
  expect(custom.map(({ kind }) => kind).sort()).toEqual(['HTTPRoute', 'PrometheusRule', 'ServiceMonitor']);
  for (const manifest of custom) {
    const mistyped = { ...manifest, spec: { ...manifest.spec, hostname: ['a.example.com'] } };
    expect(faultsOf(mistyped)).toEqual([expect.stringContaining('hostname')]);
  }
});

describe('the chart without any value', () => {
  test('passes helm lint', async () => {
    expect(await lint()).toMatchObject({ code: 0 });
  });

  test('renders safe defaults, and its notes say what is not set', async () => {
    const manifests = await render();
    expect(find(manifests, 'ConfigMap', 'accounts').data).toMatchObject({
      SIGN_UP: 'closed',
      PUBLIC_URL: 'http://localhost:8080',
    });
    const [{ env, image }] = podOf(manifests, 'audit').containers;
    expect(image).toBe('localhost/waymark/audit:1.0.0');
    const secrets = env.flatMap((each: SecretVariable) => each.valueFrom?.secretKeyRef ?? []);
    expect([...new Set(secrets.map(({ name }: { name: string }) => name))]).toEqual(['waymark-secrets']);
    const notes = readFileSync(join(chart, 'templates/NOTES.txt'), 'utf8');
    for (const value of ['image.registry', 'existingSecret', 'publicUrl', 'signUp'])
      expect(notes).toContain(`\n${value}: not set`);
  });
});

test('every image comes from the configured registry, except for those of the stores', async () => {
  for (const values of valueSets) {
    const manifests = await render(values);
    const stores = manifests.filter(({ kind }) => kind === 'StatefulSet');
    const images = manifests
      .filter((manifest) => !stores.includes(manifest))
      .flatMap((manifest) => [...JSON.stringify(manifest).matchAll(/"image":"([^"]+)"/g)])
      .map(([, image]) => image!);
    expect(images.length).toBeGreaterThan(values === 'single' ? 5 : names.length);
    for (const image of images) expect(image).toMatch(/^registry\.example\.com\/waymark\/\w+[:@]/);
  }
});

test('no value depends on IPv4: no process gets an address to listen on, and MongoDB listens on all', async () => {
  const manifests = await render('evaluation');
  for (const name of names) expect(find(manifests, 'ConfigMap', name).data).not.toHaveProperty('HOST');
  const [mongod] = find(manifests, 'StatefulSet', 'mongodb').spec.template.spec.containers;
  expect(mongod.args).toEqual(expect.arrayContaining(['--bind_ip_all', '--ipv6']));
});
