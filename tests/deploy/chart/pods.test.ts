import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { everySecret, find, migrationOf, names, podOf, type SecretVariable } from '../support/manifests.ts';
import { type Manifest, prepareTools, render, root, template } from '../support/render-chart.ts';

beforeAll(prepareTools);

describe('every pod', () => {
  const podsOf = (manifests: Manifest[]) =>
    manifests
      .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job', 'Pod'].includes(kind))
      .map(({ kind, metadata, spec }): [string, Manifest['spec']] => [
        metadata.name,
        kind === 'Pod' ? spec : spec.template.spec,
      ]);
  const stores = ['waymark-mongodb', 'waymark-nats', 'waymark-redis'];

  test('uses a private registry and the configured nodes', async () => {
    const { defaults, image } = parse(
      readFileSync(join(root, 'tests/deploy/values/everything-on.yaml'), 'utf8'),
    );
    const { nodeSelector, tolerations, affinity, priorityClassName } = defaults;
    const pods = podsOf(await render('everything-on'));
    // The services, their stores, and the pods of migrations, tools and helm test.
    expect(pods).toHaveLength(names.length + stores.length + 3);
    for (const [name, pod] of pods) {
      expect([name, pod]).toEqual([
        name,
        expect.objectContaining({
          ...{ nodeSelector, tolerations, affinity, priorityClassName },
          imagePullSecrets: image.pullSecrets,
          automountServiceAccountToken: false,
        }),
      ]);
    }
  });

  test('runs as a non-root user, or as the user that the platform assigns', async () => {
    for (const [name, { securityContext }] of podsOf(await render('everything-on'))) {
      const user = name.endsWith('mongodb') || name.endsWith('redis') ? 999 : 1000;
      expect([name, securityContext]).toEqual([
        name,
        {
          ...{ runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user },
          seccompProfile: { type: 'RuntimeDefault' },
        },
      ]);
    }
    for (const [name, { securityContext }] of podsOf(await render('openshift'))) {
      expect([name, securityContext]).toEqual([
        name,
        { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      ]);
    }
  });

  test('trusts the configured authorities if it connects to stores, and mounts the files', async () => {
    for (const [values, source] of [
      ['everything-on', { configMap: { name: 'authorities', items: [{ key: 'root.pem', path: 'ca.crt' }] } }],
      [
        'gateway-api',
        { secret: { secretName: 'waymark-authorities', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      ],
    ] as const) {
      const pods = podsOf(await render(values)).filter(
        ([name]) => !stores.includes(name) && name !== 'waymark-test',
      );
      expect(pods).toHaveLength(names.length + (values === 'gateway-api' ? 1 : 2));
      for (const [, { volumes, containers, initContainers = [] }] of pods) {
        expect(volumes).toContainEqual({ name: 'ca', ...source });
        for (const { env, volumeMounts } of [...containers, ...initContainers]) {
          expect(env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/waymark/ca/ca.crt' });
          expect(volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/waymark/ca', readOnly: true });
          if (values === 'gateway-api') continue;
          expect(volumes).toContainEqual({
            name: 'mongodb-client',
            secret: { secretName: 'mongodb-client' },
          });
          const mounted = { name: 'mongodb-client', mountPath: '/etc/mongodb', readOnly: true };
          expect(volumeMounts).toContainEqual(mounted);
        }
      }
    }
    const [migration] = migrationOf(await render('default-external')).spec.template.spec.containers;
    expect(migration).not.toHaveProperty('volumeMounts');
    expect(JSON.stringify(migration)).not.toContain('NODE_EXTRA_CA_CERTS');
  });
});

describe('the extension points', () => {
  test('reach every service, unless it has its own', async () => {
    const manifests = await render('extended');
    for (const name of names) {
      const { labels } = find(manifests, 'Deployment', name).spec.template.metadata;
      expect(labels).toMatchObject({
        'example.com/team': 'platform',
        'app.kubernetes.io/component': name,
      });
      const [container, ...others] = podOf(manifests, name).containers;
      const variables = container.env.map((each: SecretVariable) => each.name);
      const isAudit = name === 'audit';
      expect(variables.includes('SSL_CERT_DIR')).toBe(!isAudit);
      expect(others.map((each: { name: string }) => each.name)).toEqual(isAudit ? [] : ['sidecar']);
      expect(container.readinessProbe).toEqual({
        httpGet: { path: '/readyz', port: 'admin' },
        periodSeconds: 2,
        timeoutSeconds: 2,
        failureThreshold: 5,
      });
      expect(container.livenessProbe.periodSeconds).toBe(isAudit ? 30 : 10);
      expect(find(manifests, 'Deployment', name).spec.replicas).toBe(isAudit ? 0 : 2);
      expect(find(manifests, 'Service', name).metadata.annotations).toEqual({
        'example.com/scheme': name === 'gateway' ? 'https' : 'http',
      });
    }
    const more = manifests.find(({ metadata }) => metadata.name === 'waymark-more')!;
    expect(more.data).toEqual({ address: 'http://localhost:8080' });
  });

  test('use an existing service account', async () => {
    const manifests = await render('extended');
    expect(manifests.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
    const pods = [...names, 'tools'].map((name) => podOf(manifests, name));
    pods.push(migrationOf(manifests).spec.template.spec);
    expect(new Set(pods.map(({ serviceAccountName }) => serviceAccountName))).toEqual(new Set(['existing']));
  });

  test('give all objects another name', async () => {
    const values = ['-f', join(root, 'tests/deploy/values/everything-on.yaml')];
    const named = ['--set', 'fullnameOverride=work-items,gatewayApi.enabled=true'];
    const { stdout } = await template([...values, ...named]);
    const manifests = parseAllDocuments(stdout).flatMap(
      (document) => (document.toJS() as Manifest | null) ?? [],
    );
    expect(manifests.length).toBeGreaterThan(50);
    for (const { metadata } of manifests) expect(metadata.name).toMatch(/^work-items\b/);
    expect(stdout).not.toMatch(/waymark-(gateway|audit|mongodb|evaluation|migrate)/);
  });

  test('cannot replace a variable that the chart sets', async () => {
    for (const name of [...everySecret, 'PORT', 'PUBLIC_URL', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS']) {
      const { code, output } = await template(['--set', `services.audit.extraEnv[0].name=${name}`]);
      expect([name, code]).toEqual([name, 1]);
      expect(output.replaceAll('/', '.')).toContain('services.audit.extraEnv.0.name');
    }
  });
});
