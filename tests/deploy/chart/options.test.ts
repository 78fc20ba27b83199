import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  everySecret,
  find,
  migrationOf,
  names,
  podOf,
  type SecretVariable,
  valueSets,
} from '../support/manifests.ts';
import { type Manifest, prepareTools, render, renderWith } from '../support/render-chart.ts';

beforeAll(prepareTools);

/** Returns the metadata and the specification of the pods of each manifest that makes pods, by its name. */
function podsOf(
  manifests: Manifest[],
): [string, { metadata: Manifest['metadata']; spec: Manifest['spec'] }][] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    if (kind === 'Pod') return [[metadata.name, { metadata, spec }]];
    if (kind === 'CronJob') return [[metadata.name, spec.jobTemplate.spec.template]];
    return ['Deployment', 'StatefulSet', 'Job'].includes(kind) ? [[metadata.name, spec.template]] : [];
  });
}

describe('every object', () => {
  test('has the common labels and annotations, and so has every pod', async () => {
    for (const set of ['options', 'everything-on', 'single']) {
      const common = [
        ['--set', 'commonLabels.example\\.com/cost=a,commonLabels.app\\.kubernetes\\.io/name=other'],
        ['--set', 'commonAnnotations.example\\.com/owner=platform'],
      ].flat();
      const manifests = await renderWith(set, ...common);
      const pods = podsOf(manifests);
      const all = [
        ...manifests.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata]),
        ...pods.map(([name, { metadata }]) => [`pod of ${name}`, metadata]),
      ];
      for (const [name, { labels, annotations }] of all) {
        expect([name, labels, annotations]).toEqual([
          name,
          expect.objectContaining({ 'example.com/cost': 'a', 'app.kubernetes.io/name': 'waymark' }),
          expect.objectContaining({ 'example.com/owner': 'platform' }),
        ]);
      }
    }
  });

  test('that makes pods which end has a deadline, so that one that hangs does not block the next', async () => {
    for (const set of valueSets) {
      for (const { kind, metadata, spec } of await render(set)) {
        const job = kind === 'CronJob' ? spec.jobTemplate.spec : spec;
        if (!['CronJob', 'Job', 'Pod'].includes(kind)) continue;
        expect([metadata.name, job.activeDeadlineSeconds]).toEqual([metadata.name, expect.any(Number)]);
      }
    }
  });
});

describe('every pod', () => {
  test('knows the hosts, the class and the scheduler that the defaults name', async () => {
    const pods = podsOf(await render('options'));
    expect(
      pods.map(([name]) => name).filter((name) => /backup|oplog|doctor|tools|migrate|test/.test(name)),
    ).toHaveLength(6);
    for (const [name, { spec }] of pods) {
      expect([name, spec]).toEqual([
        name,
        expect.objectContaining({
          hostAliases: [{ ip: '10.20.0.5', hostnames: ['mongodb.internal'] }],
          dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
          runtimeClassName: 'gvisor',
          schedulerName: 'packing',
        }),
      ]);
    }
  });

  test('of a service runs the containers before it that its operator adds, with or without migrations', async () => {
    for (const [enabled, others] of [
      ['true', ['await-migration']],
      ['false', []],
    ] as const) {
      const manifests = await renderWith('options', '--set', `migrations.enabled=${enabled}`);
      const { initContainers } = podOf(manifests, 'audit');
      expect(initContainers.map(({ name }: { name: string }) => name)).toEqual(['await-proxy', ...others]);
    }
  });

  test('of a command has the annotations and the containers before it that its operator adds', async () => {
    const manifests = await render('options');
    const templates = {
      migrate: manifests.find(({ kind }) => kind === 'Job')!.spec.template,
      tools: find(manifests, 'Deployment', 'tools').spec.template,
      doctor: find(manifests, 'CronJob', 'doctor').spec.jobTemplate.spec.template,
      backup: find(manifests, 'CronJob', 'backup').spec.jobTemplate.spec.template,
    };
    for (const [name, { metadata, spec }] of Object.entries(templates))
      expect([metadata.annotations['example.com/agent'], spec.initContainers?.[0].name]).toEqual([
        name,
        'await-proxy',
      ]);
  });
});

test('each service has an account of its own, if it is asked for', async () => {
  const manifests = await render('options');
  const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
  const own = names.filter((name) => name !== 'accounts').map((name) => `waymark-${name}`);
  expect(accounts.map(({ metadata }) => metadata.name).sort()).toEqual(
    ['shared', 'waymark-backup', ...own].sort(),
  );
  expect(find(manifests, 'ServiceAccount', 'audit').metadata.annotations).toMatchObject({
    'example.com/role': 'service',
  });
  for (const name of names)
    expect(podOf(manifests, name).serviceAccountName).toBe(
      name === 'accounts' ? 'accounts' : `waymark-${name}`,
    );
  expect(migrationOf(manifests).spec.template.spec.serviceAccountName).toBe('shared');
});

describe('clients outside the cluster', () => {
  test('reach the port for requests alone through a Service of their own', async () => {
    const { metadata, spec } = find(await render('options'), 'Service', 'public');
    expect(metadata.annotations).toMatchObject({ 'example.com/scheme': 'internal' });
    expect(spec).toEqual({
      type: 'LoadBalancer',
      loadBalancerClass: 'example.com/balancer',
      loadBalancerSourceRanges: ['203.0.113.0/24'],
      externalTrafficPolicy: 'Cluster',
      selector: expect.objectContaining({ 'app.kubernetes.io/component': 'gateway' }),
      ports: [{ name: 'http', port: 443, targetPort: 8080, nodePort: 30_080, appProtocol: 'http' }],
    });
    const single = await renderWith('single', '--set', 'publicService.type=NodePort');
    const { selector, ports, type } = find(single, 'Service', 'public').spec;
    expect([selector['app.kubernetes.io/component'], ports[0].port, type]).toEqual([
      'single',
      80,
      'NodePort',
    ]);
    expect(find(await render('single'), 'Service', 'public')).toBeUndefined();
  });

  test('reach the product at several hosts, each with its certificate', async () => {
    const manifests = await render('options');
    const { tls, rules } = manifests.find(({ kind }) => kind === 'Ingress')!.spec;
    expect(rules.map(({ host }: { host: string }) => host)).toEqual([
      'waymark.example.com',
      'api.example.com',
      'www.example.com',
    ]);
    expect(tls).toEqual([
      { secretName: 'api-tls', hosts: ['api.example.com'] },
      { secretName: 'waymark-tls', hosts: ['waymark.example.com', 'www.example.com'] },
    ]);
    const [rule] = manifests.find(({ kind }) => kind === 'HTTPRoute')!.spec.rules;
    expect(rule).toMatchObject({
      timeouts: { request: '120s' },
      filters: [{ type: 'ResponseHeaderModifier' }],
    });
  });
});

describe('secrets as files', () => {
  const filesOf = (spec: Manifest['spec']): Record<string, boolean> => {
    const { projected } = spec.volumes.find(({ name }: { name: string }) => name === 'secrets');
    return Object.fromEntries(
      projected.sources.flatMap(({ secret }: { secret: { optional: boolean; items: { path: string }[] } }) =>
        secret.items.map(({ path }) => [path, secret.optional]),
      ),
    );
  };

  test('are named like the variables that they replace, in each container', async () => {
    const [asFiles, asVariables] = await Promise.all([
      render('secret-files'),
      renderWith('secret-files', '--set', 'secretFiles.enabled=false'),
    ]);
    const specs = new Map(
      podsOf(asVariables).map(([name, { spec }]) => [name.replace(/-migrate-.*/, ''), spec]),
    );
    for (const [name, { spec }] of podsOf(asFiles)) {
      if (name === 'waymark-test') continue;
      const before = specs.get(name.replace(/-migrate-.*/, ''));
      const expected: [string, boolean][] = [...before.containers, ...(before.initContainers ?? [])].flatMap(
        ({ env }: { env: SecretVariable[] }) =>
          env.flatMap(({ name: variable, valueFrom }) =>
            valueFrom?.secretKeyRef
              ? [[variable, valueFrom.secretKeyRef.optional ?? false] as [string, boolean]]
              : [],
          ),
      );
      if (name === 'waymark-gateway')
        expect(spec.volumes).toContainEqual({
          name: 'secrets',
          csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true },
        });
      else expect([name, filesOf(spec)]).toEqual([name, Object.fromEntries(expected)]);
      for (const { env, volumeMounts } of [...spec.containers, ...(spec.initContainers ?? [])]) {
        expect(env).toContainEqual({ name: 'SECRETS_DIRECTORY', value: '/run/secrets' });
        expect(volumeMounts).toContainEqual({ name: 'secrets', mountPath: '/run/secrets', readOnly: true });
        for (const { name: variable } of env) expect(everySecret).not.toContain(variable);
      }
    }
  });

  test('can be written by an agent', async () => {
    const manifests = await renderWith('secret-files', '--set', 'secretFiles.injected=true');
    const { volumes, containers } = podOf(manifests, 'audit');
    expect(JSON.stringify([volumes, containers[0].volumeMounts])).not.toContain('secrets');
    expect(containers[0].env).toContainEqual({ name: 'SECRETS_DIRECTORY', value: '/run/secrets' });
  });
});

describe('the scheduled doctor', () => {
  test('has what the tools pod has, and reaches what it reaches', async () => {
    const manifests = await render('options');
    const { spec } = find(manifests, 'CronJob', 'doctor');
    expect(spec.timeZone).toBe('Asia/Tokyo');
    const [doctor] = spec.jobTemplate.spec.template.spec.containers;
    const [tools] = podOf(manifests, 'tools').containers;
    expect(doctor.args).toEqual(['node', 'main.mjs', 'doctor']);
    expect(doctor.env).toEqual(tools.env);
    const policies = ['doctor', 'tools'].map((name) => find(manifests, 'NetworkPolicy', name).spec);
    expect(policies[0].egress).toEqual(policies[1].egress);
    const audit = JSON.stringify(find(manifests, 'NetworkPolicy', 'audit').spec.ingress);
    for (const name of ['doctor', 'tools'])
      expect(audit).toContain(`"app.kubernetes.io/component":"${name}"`);
    const evaluation = await renderWith('evaluation', '--set', 'doctor.schedule=@hourly');
    for (const store of ['mongodb', 'redis', 'nats'])
      expect(JSON.stringify(find(evaluation, 'NetworkPolicy', store))).toContain('"doctor"');
  });
});
