import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { StoringService } from '@waymark/contracts';
import { identityPrivateKeysOf } from '@waymark/service-kit/process';
import { environmentOf } from '../../../apps/cli/src/databases.ts';
import { componentsOf, find, migrationOf, names, podOf, type SecretVariable } from '../support/manifests.ts';
import { type Manifest, prepareTools, render, renderWith, root } from '../support/render-chart.ts';
import { secretNames, serviceNeeds } from '../support/service-needs.ts';

beforeAll(prepareTools);

describe('migrations', () => {
  test('one Job per revision migrates every database, and services wait for it', async () => {
    const manifests = await render('ha');
    const job = migrationOf(manifests);
    const [container] = job.spec.template.spec.containers;
    const storing = names.filter((name) => serviceNeeds(name).stores.includes('mongodb'));
    expect(container.env.map((variable: { name: string }) => variable.name).sort()).toEqual(
      storing.map((name) => `${name.toUpperCase()}_MONGODB_URL`).sort(),
    );
    const keyOf = (name: string) =>
      container.env.find((each: { name: string }) => each.name === `${name}_MONGODB_URL`).valueFrom
        .secretKeyRef.key;
    expect([keyOf('ACCOUNTS'), keyOf('AUDIT'), keyOf('SEARCH')]).toEqual([
      'ACCOUNTS_URL',
      'AUDIT_URL',
      'MONGODB_URL',
    ]);
    for (const name of storing) {
      expect(podOf(manifests, name).initContainers[0].args).toEqual([
        'node',
        'main.mjs',
        'migrate',
        '--wait',
        name,
      ]);
    }
    expect(podOf(manifests, 'gateway').initContainers).toBeUndefined();
  });

  test('a changed Job gets a new name, also with tools that always render the first revision', async () => {
    const nameWith = async (...set: string[]) => {
      const [job] = await renderWith('default-external', '-s', 'templates/migrate-job.yaml', ...set);
      return job!.metadata.name as string;
    };
    const name = await nameWith();
    expect(name).toMatch(/^waymark-migrate-1-[0-9a-f]{8}$/);
    expect(await nameWith('--set', 'migrations.backoffLimit=3')).toBe(name);
    expect(await nameWith('--set', 'image.tag=0.2.0')).not.toBe(name);
    expect(await nameWith('--set', 'defaults.nodeSelector.disk=fast')).not.toBe(name);
  });

  test('a failed Job keeps its pods, so that their logs show the reason', async () => {
    expect(migrationOf(await render('ha')).spec.template.spec.restartPolicy).toBe('Never');
  });
});

describe('commands', () => {
  const storing = names.filter((name) => serviceNeeds(name).stores.includes('mongodb')) as StoringService[];
  const clearEnv = ({ env }: { env: { name: string; value?: string }[] }) =>
    Object.fromEntries(env.map(({ name, value }) => [name, value]));

  test.each(storing)('find the database of %s under any name', async (name) => {
    const manifests = await render('everything-on');
    const service = environmentOf(name, {}).MONGODB_DATABASE;
    const called = find(manifests, 'ConfigMap', name).data.MONGODB_DATABASE ?? service;
    const [job] = migrationOf(manifests).spec.template.spec.containers;
    const [awaiting] = podOf(manifests, name).initContainers;
    const [tools] = podOf(manifests, 'tools').containers;
    for (const container of [job, awaiting, tools]) {
      expect(environmentOf(name, clearEnv(container)).MONGODB_DATABASE).toBe(called);
      expect(container.env.map((each: { name: string }) => each.name)).toContain(
        `${name.toUpperCase()}_MONGODB_URL`,
      );
    }
  });

  test('use the streams of the services, and create workspaces like accounts', async () => {
    const manifests = await render('everything-on');
    const { data } = find(manifests, 'ConfigMap', 'accounts');
    const env = clearEnv(podOf(manifests, 'tools').containers[0]);
    for (const variable of ['NATS_PREFIX', 'NATS_REPLICAS', 'DEFAULT_PLAN', 'PUBLIC_URL']) {
      expect([variable, env[variable]]).toEqual([variable, data[variable]]);
      expect(data[variable]).toBeDefined();
    }
  });
});

describe('the pod for an operator’s commands', () => {
  test('exists if it is enabled, and has what the commands read', async () => {
    expect(find(await render('ha'), 'Deployment', 'tools')).toBeUndefined();
    const manifests = await render('everything-on');
    const { containers } = podOf(manifests, 'tools');
    const given = containers[0].env.map((variable: { name: string }) => variable.name);
    const storing = names.filter((name) => serviceNeeds(name).stores.includes('mongodb'));
    const databases = storing.map((name) => `${name.toUpperCase()}_MONGODB_URL`);
    const notHere = ['MONGODB_URL', 'IDENTITY_PRIVATE_KEYS'];
    const shared = secretNames.filter((name) => !notHere.includes(name));
    const secrets = [...shared, ...names.map(identityPrivateKeysOf)];
    expect(given).toEqual(
      expect.arrayContaining([...databases, ...secrets, 'NATS_CREDS', 'AUDIT_RETENTION_DAYS']),
    );
    expect(containers[0].securityContext.readOnlyRootFilesystem).toBe(true);
    expect(containers[0].resources).toEqual({
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { memory: '2Gi' },
    });
    const read = (page: string) => readFileSync(join(root, `docs/operating/${page}.md`), 'utf8');
    const directories = [
      ...`${read('backup')}${read('restore')}`.matchAll(/-- waymark (?:backup|restore) (\S+)/g),
    ];
    expect(directories.map(([, directory = '']) => dirname(directory))).toEqual(['/tmp', '/tmp']);
    expect(containers[0].volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
    const { ingress, egress } = find(manifests, 'NetworkPolicy', 'tools').spec;
    expect(ingress).toBeUndefined();
    const asked = egress.find((rule: { ports: { port: number }[] }) => rule.ports[0]!.port === 8080);
    const deniedIn = (all: Manifest[]) => {
      const { env } = podOf(all, 'tools').containers[0];
      return env.find(({ name }: SecretVariable) => name === 'DENIED_CONNECTIONS').value.split(',');
    };
    const metrics = [...names].sort().map((name) => `waymark-${name}:9090`);
    // Whoever allows port 443 for backups may allow the API server with it.
    expect(deniedIn(manifests)).toEqual(metrics);
    const otherPort = await renderWith('everything-on', '--set', 'backup.ports={9000}');
    expect(deniedIn(otherPort)).toEqual([...metrics, 'kubernetes.default.svc:443']);
    expect(JSON.stringify(egress)).not.toMatch(/"port":9\d\d\d/);
    // `waymark doctor` asks every service whether it answers.
    expect(componentsOf(asked.to)).toEqual([...names].sort());
  });
});

test('the documented upgrade commands keep the operator’s values and use the new defaults', () => {
  const files = [
    'docs/operating.md',
    ...readdirSync(join(root, 'docs/operating')).map((file) => `docs/operating/${file}`),
  ];
  const commands = files.flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/helm upgrade .*/g) ?? [],
  );
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) expect(command).toContain(' --reset-then-reuse-values ');
});
