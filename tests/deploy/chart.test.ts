import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { limits, operationList, type ServiceName, type StoringService, services } from '@waymark/contracts';
import { identityPrivateKeysOf, identityPublicKeysOf } from '@waymark/service-kit/process';
import { parse, parseAllDocuments } from 'yaml';
import { environmentOf } from '../../apps/cli/src/databases.ts';
import { readStages } from '../../deploy/docker/read-dockerfile.mjs';
import { readConfig as readAuditConfig } from '../../services/audit/src/config.ts';
import { readConfig as readWebhooksConfig } from '../../services/webhooks/src/config.ts';
import { faultsOf, isCustom } from './support/custom-resources.ts';
import { serveLiveObjects } from './support/live-objects.ts';
import {
  chart,
  lint,
  type Manifest,
  prepareTools,
  render,
  renderInto,
  root,
  template,
  validate,
} from './support/render-chart.ts';
import { optionalSecretNames, secretNames, serviceNeeds, variablesOf } from './support/service-needs.ts';

const names = Object.keys(services) as ServiceName[];
const valueSets = readdirSync(join(root, 'tests/deploy/values')).map((file) => file.replace('.yaml', ''));
/** Those with pods for each service. */
const separate = valueSets.filter((values) => values !== 'single');
const everySecret = [...secretNames, ...optionalSecretNames];
const HELM_BUILD_LIMIT_MS = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'waymark-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(prepareTools, HELM_BUILD_LIMIT_MS);

interface SecretVariable {
  name: string;
  valueFrom?: { secretKeyRef: { key: string; optional?: true } };
}

const find = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === `waymark-${name}`)!;
/** Finds the Job by its kind, because its name contains the revision and a hash of its content. */
const migrationOf = (manifests: Manifest[]) => manifests.find(({ kind }) => kind === 'Job')!;
interface Peer {
  podSelector?: { matchLabels: Record<string, string> };
  namespaceSelector?: object;
}
const podOf = (manifests: Manifest[], name: string) => find(manifests, 'Deployment', name).spec.template.spec;
const componentsOf = (peers: { podSelector: { matchLabels: Record<string, string> } }[]) =>
  peers.map((peer) => peer.podSelector.matchLabels['app.kubernetes.io/component']).sort();

describe.each(valueSets)('the chart with %s', (values) => {
  test('passes helm lint', async () => {
    expect(await lint(values)).toMatchObject({ code: 0 });
  });

  test('renders manifests that Kubernetes accepts, field by field', async () => {
    const all = await render(values);
    expect(all.filter(isCustom).flatMap(faultsOf)).toEqual([]);
    const manifests = all.filter((manifest) => !isCustom(manifest));
    const result = await validate(manifests, join(folder, `${values}.json`));
    expect(result).toMatchObject({ code: 0, output: expect.not.stringMatching(/WARN|ERROR/) });
    expect(result.output.match(/INFO/g)).toHaveLength(manifests.length);
  });

  test('keeps secrets out of ConfigMaps and out of plain text in manifests', async () => {
    for (const { data } of (await render(values)).filter(({ kind }) => kind === 'ConfigMap')) {
      for (const name of everySecret) expect(data).not.toHaveProperty(name);
      expect(JSON.stringify(data)).not.toMatch(/mongodb:\/\/|redis:\/\/|nats:\/\//);
    }
  });
});

describe.each(separate)('the services with %s', (values) => {
  test.each(names)('%s has probes, limits and minimal rights', async (name) => {
    const pod = podOf(await render(values), name);
    const container = pod.containers[0];
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      expect(container[probe].httpGet.port).toBe('admin');
    }
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.topologySpreadConstraints).toHaveLength(2);
    for (const { resources, securityContext } of [container, ...(pod.initContainers ?? [])]) {
      expect(resources.limits.memory).toBeDefined();
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
  });

  test.each(names)('%s gets exactly the variables that it needs', async (name) => {
    const manifests = await render(values);
    const [container] = podOf(manifests, name).containers;
    const fromSecret = (optional?: true) =>
      container.env
        .filter((variable: SecretVariable) => variable.valueFrom?.secretKeyRef.optional === optional)
        .filter((variable: SecretVariable) => everySecret.includes(variable.name))
        .map((variable: SecretVariable) => variable.name)
        .sort();
    expect(fromSecret()).toEqual(serviceNeeds(name).secrets);
    expect(fromSecret(true)).toEqual(serviceNeeds(name).optionalSecrets);
    const keys = container.env.map((variable: SecretVariable) => variable.valueFrom?.secretKeyRef.key);
    const privateKeys = keys.filter((key: string) => key?.endsWith('IDENTITY_PRIVATE_KEYS'));
    expect(privateKeys).toEqual([identityPrivateKeysOf(name)]);
    // OpenTelemetry's standard variable for the collector's address.
    const known = [...variablesOf(name), 'OTEL_EXPORTER_OTLP_ENDPOINT'];
    for (const variable of Object.keys(find(manifests, 'ConfigMap', name).data))
      expect(known).toContain(variable);
  });

  test('lets webhooks send only to public addresses, over https', async () => {
    const { data } = find(await render(values), 'ConfigMap', 'webhooks');
    const secrets = await evaluationSecrets();
    const IDENTITY_PRIVATE_KEYS = secrets['WEBHOOKS_IDENTITY_PRIVATE_KEYS'];
    const env = { ...secrets, IDENTITY_PRIVATE_KEYS, ...data };
    expect(readWebhooksConfig(env)).toMatchObject({ webhookAllowLoopback: false });
  });

  test('drains within the termination grace period', async () => {
    const manifests = await render(values);
    for (const name of names) {
      const pod = podOf(manifests, name);
      const sleepSeconds = pod.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
      const delayMs = Number(find(manifests, 'ConfigMap', name).data.DRAIN_DELAY_MS);
      expect(delayMs).toBeLessThanOrEqual(15_000);
      // The process ends by itself 20 s after SIGTERM: libs/service-kit/src/process/run-main.ts.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(sleepSeconds + 20);
    }
  });
});

test('custom resources match the definitions of their projects, field by field', async () => {
  const custom = (await render('everything-on')).filter(isCustom);
  expect(custom.map(({ kind }) => kind).sort()).toEqual(['HTTPRoute', 'PrometheusRule', 'ServiceMonitor']);
  for (const manifest of custom) {
    const mistyped = { ...manifest, spec: { ...manifest.spec, hostname: ['a.example.com'] } };
    expect(faultsOf(mistyped)).toEqual([expect.stringContaining('hostname')]);
  }
});

test('every variable with a name of a secret is treated as a secret', () => {
  const suspicious = names
    .flatMap(variablesOf)
    .filter((name) => /(SECRETS?|KEYS?|PASSWORDS?|TOKENS?|HEADERS|CREDS)$/.test(name));
  expect([...new Set(suspicious)].sort()).toEqual(
    everySecret.filter((name) => !name.endsWith('_URL')).sort(),
  );
});

describe('network policies', () => {
  test.each(names)(
    '%s can reach only what its configuration names, and only its callers can reach it',
    async (name) => {
      const manifests = await render('evaluation');
      const { ingress, egress } = find(manifests, 'NetworkPolicy', name).spec;
      const peersAt = (port: number) =>
        egress
          .filter(
            (rule: Manifest) => (rule as never as { ports: { port: number }[] }).ports[0]!.port === port,
          )
          .flatMap((rule: { to?: [] }) => rule.to ?? []);
      expect(componentsOf(peersAt(8080))).toEqual(serviceNeeds(name).calls);
      const stores = { mongodb: 27017, redis: 6379, nats: 4222 };
      const reached = Object.entries(stores).filter(([, port]) => peersAt(port).length > 0);
      expect(reached.map(([store]) => store).sort()).toEqual(serviceNeeds(name).stores);

      const callers = names.filter((caller) => serviceNeeds(caller).calls.includes(name)).sort();
      const [requests] = ingress;
      if (name === 'gateway') expect(requests.from).toBeUndefined();
      else expect(componentsOf(requests.from)).toEqual(callers);
      const [withTools] = find(await render('everything-on'), 'NetworkPolicy', name).spec.ingress;
      if (name === 'gateway') return;
      expect(componentsOf(withTools.from)).toEqual([...callers, 'tools'].sort());
    },
  );

  test('only webhooks can reach the internet, and it cannot reach private addresses', async () => {
    const manifests = await render('everything-on');
    const outward = manifests.filter(({ spec }) => JSON.stringify(spec ?? {}).includes('0.0.0.0/0'));
    expect(outward.map(({ metadata }) => metadata.name)).toEqual(['waymark-webhooks']);
    const rule = outward[0]!.spec.egress.find(
      (each: { to?: { ipBlock?: unknown }[] }) => each.to?.[0]?.ipBlock,
    );
    expect(rule.ports.map((each: { port: number }) => each.port)).toEqual([443, 8443, 9443]);
    const [v4, v6] = rule.to.map((each: { ipBlock: { cidr: string; except: string[] } }) => each.ipBlock);
    expect([v4.cidr, v6.cidr]).toEqual(['0.0.0.0/0', '2000::/3']);
    expect(v4.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '198.51.100.0/24']));
    expect(v4.except.join()).not.toContain(':');
    expect(v6.except).toEqual(['2001:db8::/32']);
  });

  test('only accounts gets the mail server, and can reach it', async () => {
    const manifests = await render('everything-on');
    const reaching = manifests
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .filter(({ spec }) => JSON.stringify(spec.egress).includes('203.0.113.25/32'));
    expect(reaching.map(({ metadata }) => metadata.name)).toEqual(['waymark-accounts']);
    const sending = manifests.filter(({ data }) => data && 'MAIL_FROM' in data);
    expect(sending.map(({ metadata }) => metadata.name)).toEqual(['waymark-accounts']);
    expect(JSON.stringify(find(await render('ha'), 'ConfigMap', 'accounts').data)).not.toContain('MAIL_FROM');
  });

  test('webhooks can also reach the networks that the operator allows', async () => {
    const { spec } = find(await render('everything-on'), 'NetworkPolicy', 'webhooks');
    const rules = spec.egress
      .filter((each: { to?: { ipBlock?: unknown }[] }) => each.to?.[0]?.ipBlock)
      .slice(1, -1);
    const named = rules.map(({ ports, to }: { ports: { port: number }[]; to: { ipBlock: object }[] }) => [
      to.map(({ ipBlock }) => ipBlock),
      ports.map(({ port }) => port),
    ]);
    expect(named).toEqual([
      [[{ cidr: '10.20.0.0/16' }], [443, 8443, 9443]],
      [[{ cidr: '10.30.0.5/32' }], [443, 8443, 9443, 80]],
      [[{ cidr: '10.40.0.6/32' }], [9000]],
      [[{ cidr: 'fd12::/48' }], [8443]],
    ]);
  });

  test.each(valueSets)(
    'each rule names its destination, except for stores at unknown addresses: %s',
    async (values) => {
      const manifests = await render(values);
      const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
      const openPorts = policies
        .flatMap(({ spec }): { ports: { port: number }[]; to?: unknown[] | null }[] => spec.egress)
        .filter(({ to }) => !to?.length)
        .flatMap(({ ports }) => ports.map(({ port }) => port));
      const expectedPorts = ['default-external', 'gateway-api'].includes(values) ? [4222, 6379, 27017] : [];
      expect([...new Set(openPorts)].sort((a, b) => a - b)).toEqual(expectedPorts);
    },
  );

  test('helm test can send its requests when the allowed peers are restricted', async () => {
    for (const [values, port] of [
      ['gateway-api', 8080],
      ['everything-on', 9090],
    ] as const) {
      const manifests = await render(values);
      const pod = find(manifests, 'Pod', 'test');
      const asked = [...JSON.stringify(pod.spec).matchAll(/(?:base|admin)}-(\w+):(\d+)/g)];
      const services = new Set(asked.filter(([, , at]) => Number(at) === port).map(([, name]) => name!));
      expect(services.size).toBe(port === 8080 ? 1 : names.length);
      for (const name of services) {
        const { ingress } = find(manifests, 'NetworkPolicy', name).spec;
        const rule = ingress.find((each: { ports: { port: number }[] }) => each.ports[0]!.port === port);
        expect(rule.from).toContainEqual({
          podSelector: {
            matchLabels: {
              'app.kubernetes.io/name': 'waymark',
              'app.kubernetes.io/instance': 'waymark',
              'app.kubernetes.io/component': pod.metadata.labels['app.kubernetes.io/component'],
            },
          },
        });
      }
    }
  });

  test.each(['evaluation', 'everything-on', 'single'])(
    'whoever may connect to pods of this release is admitted by them, and nobody else: %s',
    async (values) => {
      const policies = (await render(values)).filter(({ kind }) => kind === 'NetworkPolicy');
      const componentOf = ({ spec }: Manifest) =>
        spec.podSelector.matchLabels['app.kubernetes.io/component'] as string;
      const connections = (policy: Manifest, direction: 'ingress' | 'egress') =>
        (
          (policy.spec[direction] ?? []) as { ports: { port: number }[]; to?: Peer[]; from?: Peer[] }[]
        ).flatMap(({ ports, to, from }) =>
          (to ?? from ?? []).flatMap(({ podSelector, namespaceSelector }) => {
            if (!podSelector || namespaceSelector) return [];
            const peer = podSelector.matchLabels['app.kubernetes.io/component'];
            const ends = direction === 'egress' ? [componentOf(policy), peer] : [peer, componentOf(policy)];
            return ports.map(({ port }) => `${ends.join(' to ')} at ${port}`);
          }),
        );
      const opened = new Set(policies.flatMap((policy) => connections(policy, 'egress')));
      const admitted = new Set(policies.flatMap((policy) => connections(policy, 'ingress')));
      // Anyone reaches the gateway, unless its clients are restricted; the pod of helm test has no policy.
      for (const policy of policies)
        for (const { ports, from } of policy.spec.ingress ?? [])
          if (!from)
            for (const connection of opened)
              if (connection.endsWith(` to ${componentOf(policy)} at ${ports[0].port}`))
                admitted.add(connection);
      const fromTest = [...admitted].filter((connection) => connection.startsWith('test to '));
      expect([...admitted].sort()).toEqual([...opened, ...fromTest].sort());
      expect(opened.size).toBeGreaterThan(5);
    },
  );

  test.each(['evaluation', 'everything-on', 'single'])(
    'a network policy covers every pod: %s',
    async (values) => {
      const manifests = await render(values);
      const covered = manifests
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/component']);
      const pods = manifests
        .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
        .map(({ spec }) => spec.template.metadata.labels['app.kubernetes.io/component']);
      expect(pods.filter((pod) => !covered.includes(pod))).toEqual([]);
    },
  );
});

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
      const values = ['-f', join(root, 'tests/deploy/values/default-external.yaml')];
      const { stdout } = await template([...values, '-s', 'templates/migrate-job.yaml', ...set]);
      return parse(stdout).metadata.name as string;
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
    const values = join(root, 'tests/deploy/values/everything-on.yaml');
    const { stdout } = await template(['-f', values, '--set', 'backup.ports={9000}']);
    const otherPort = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    expect(deniedIn(otherPort.filter(Boolean))).toEqual([...metrics, 'kubernetes.default.svc:443']);
    expect(JSON.stringify(egress)).not.toMatch(/"port":9\d\d\d/);
    // `waymark doctor` asks every service whether it answers.
    expect(componentsOf(asked.to)).toEqual([...names].sort());
  });
});

describe('the scheduled backup', () => {
  const podIn = (manifests: Manifest[]) =>
    find(manifests, 'CronJob', 'backup').spec.jobTemplate.spec.template.spec;
  const namesOf = ({ env }: { env: SecretVariable[] }) =>
    env.map(({ name }) => name).filter((name) => !/_MONGODB_DATABASE$|^NODE_EXTRA/.test(name));
  const ofBucket = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL_S3', 'AWS_REGION'];

  test('backs up and verifies, with the databases, the key of the bucket and nothing else', async () => {
    expect(find(await render('ha'), 'CronJob', 'backup')).toBeUndefined();
    const manifests = await render('everything-on');
    const { containers, serviceAccountName } = podIn(manifests);
    const recipient = ['--recipient', expect.stringMatching(/^age1/)];
    const args = ['backup', 's3://backups/waymark', '--keep', '14', ...recipient, '--verify'];
    expect(containers[0].args).toEqual(['node', 'main.mjs', ...args]);
    const storing = names.filter((name) => serviceNeeds(name).stores.includes('mongodb'));
    const databases = storing.map((name) => `${name.toUpperCase()}_MONGODB_URL`);
    const given = [...databases, ...ofBucket, 'AUDIT_SIGNING_KEYS', 'BACKUP_IDENTITY'];
    expect(namesOf(containers[0]).sort()).toEqual(given.sort());
    const peers = {
      ports: [{ port: 443, protocol: 'TCP' }],
      to: [{ ipBlock: { cidr: '203.0.113.26/32' } }],
    };
    for (const name of ['backup', 'tools'])
      expect(find(manifests, 'NetworkPolicy', name).spec.egress.at(-1)).toEqual(peers);
    // The tools pod restores what this one wrote; no other pod has the role of the bucket.
    const tools = podOf(manifests, 'tools');
    expect(namesOf(tools.containers[0])).toEqual(expect.arrayContaining(ofBucket));
    expect([serviceAccountName, tools.serviceAccountName]).toEqual(['waymark-backup', 'waymark-backup']);
    for (const name of names) expect(podOf(manifests, name).serviceAccountName).toBe('waymark');
  });

  test('is not verified where the cluster shall not have the identity', async () => {
    const values = ['-f', join(root, 'tests/deploy/values/everything-on.yaml')];
    const { stdout } = await template([...values, '--set', 'backup.verify=false']);
    const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const [container] = podIn(manifests).containers;
    expect(container.args).not.toContain('--verify');
    expect(namesOf(container)).not.toContain('AUDIT_SIGNING_KEYS');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    expect(JSON.stringify(rule)).toMatch(/waymark_backup_timestamp_seconds\{[^}]*state=\\?"taken/);
  });

  test('keeps the changes between backups, without the identity, and alerts when that ends', async () => {
    const oplog = 'evaluation.enabled=false,backup.oplog.schedule=*/5 * * * *,backup.oplog.maxAgeMinutes=20';
    const { stdout } = await template([
      ...['-f', join(root, 'tests/deploy/values/everything-on.yaml'), '--set', oplog],
    ]);
    const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const [full, { spec, metadata }] = manifests.filter(({ kind }) => kind === 'CronJob') as [
      Manifest,
      Manifest,
    ];
    expect([full.metadata.name, metadata.name]).toEqual(['waymark-backup', 'waymark-oplog']);
    expect(spec.schedule).toBe('*/5 * * * *');
    const { metadata: pod, spec: podSpec } = spec.jobTemplate.spec.template;
    expect(pod.labels).toEqual(full.spec.jobTemplate.spec.template.metadata.labels);
    const recipient = ['--recipient', expect.stringMatching(/^age1/)];
    const args = ['backup', 'oplog', 's3://backups/waymark', ...recipient];
    expect(podSpec.containers[0].args).toEqual(['node', 'main.mjs', ...args]);
    expect(namesOf(podSpec.containers[0])).toEqual(expect.arrayContaining(ofBucket));
    expect(namesOf(podSpec.containers[0])).not.toContain('BACKUP_IDENTITY');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    expect(JSON.stringify(rule)).toMatch(/state=\\?"oplog\\?"}\) > 60 \* 20"/);

    const longest = `${oplog},fullnameOverride=${'w'.repeat(40)}`;
    const named = await template([
      ...['-f', join(root, 'tests/deploy/values/everything-on.yaml'), '--set', longest],
    ]);
    const jobs = parseAllDocuments(named.stdout)
      .map((document) => document.toJS() as Manifest)
      .filter(({ kind }) => kind === 'CronJob');
    expect(jobs).toHaveLength(2);
    // Kubernetes appends the time of each Job.
    for (const { metadata: job } of jobs) expect(job.name.length).toBeLessThanOrEqual(52);
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

describe('a changed variable', () => {
  const checksums = async (...set: string[]) => {
    const values = ['-f', join(root, 'tests/deploy/values/default-external.yaml')];
    const { stdout } = await template([...values, '-s', 'templates/deployment.yaml', ...set]);
    const deployments = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    return Object.fromEntries(
      deployments.map(({ metadata, spec }) => [
        metadata.name.replace('waymark-', ''),
        spec.template.metadata.annotations['checksum/config'],
      ]),
    );
  };

  test.each([
    ['services.audit.env.LOG_LEVEL=debug', ['audit']],
    ['services.webhooks.env.WEBHOOK_HEADER_PREFIX=X-', ['webhooks']],
    ['trustedProxies={10.0.0.0/8}', ['gateway']],
    ['signUp=closed', ['accounts']],
    ['services.search.indexMebibytes=64', ['search']],
    ['drain.delaySeconds=3', names],
  ])('%s restarts only the services that read it', async (set, expected) => {
    const [before, after] = [await checksums(), await checksums('--set', set)];
    expect(names.filter((name) => before[name] !== after[name])).toEqual(expected);
  });

  test('NODE_OPTIONS adds to the options of the chart', async () => {
    const values = ['-f', join(root, 'tests/deploy/values/default-external.yaml')];
    const { stdout } = await template([...values, '--set', 'services.audit.env.NODE_OPTIONS=--trace-gc']);
    const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const optionsOf = (name: string) =>
      podOf(manifests, name).containers[0].env.find((each: SecretVariable) => each.name === 'NODE_OPTIONS')
        .value;
    expect(optionsOf('search')).toBe('--max-old-space-size-percentage=70');
    expect(optionsOf('audit')).toBe('--max-old-space-size-percentage=70 --trace-gc');
    expect(find(manifests, 'ConfigMap', 'audit').data).not.toHaveProperty('NODE_OPTIONS');
  });
});

describe('the variables that the schema accepts', () => {
  /** Variables that have a value of their own in values.yaml. */
  const configured = [
    ...['PORT', 'ADMIN_PORT', 'DRAIN_DELAY_MS', 'NATS_REPLICAS', 'PUBLIC_URL', 'SIGN_UP', 'REDIS_CLUSTER'],
    ...['TRUSTED_PROXIES', 'INDEX_MEBIBYTES', 'AUDIT_RETENTION_DAYS', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ...['MAIL_FROM', 'TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE'],
  ];
  const ofNode = ['NODE_OPTIONS', 'TZ', 'UV_THREADPOOL_SIZE'];
  const variablesIn = (service: ServiceName) =>
    [
      ...variablesOf(service).filter((name) => ![...everySecret, ...configured].includes(name)),
      ...ofNode,
    ].sort();
  const { properties } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const acceptedIn = (env: { patternProperties: object; additionalProperties: boolean }) => {
    expect(env.additionalProperties).toBe(false);
    return Object.keys(env.patternProperties)[0]!.slice('^('.length, -')$'.length).split('|');
  };

  test.each(names)('for %s are those that it reads and that have no value of their own', (name) => {
    expect(acceptedIn(properties.services.properties[name].properties.env)).toEqual(variablesIn(name));
  });

  test('for all services are those of any, except for the name of a database', () => {
    const every = new Set(names.flatMap(variablesIn).filter((name) => name !== 'MONGODB_DATABASE'));
    expect(acceptedIn(properties.defaults.properties.env)).toEqual([...every].sort());
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

describe('mode single', () => {
  const single = () => render('single');
  let separated: Manifest[];
  beforeAll(async () => {
    const values = ['-f', join(root, 'tests/deploy/values/single.yaml'), '--set', 'mode=services'];
    const { stdout } = await template(values);
    separated = parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
  });
  const environmentIn = (manifests: Manifest[], deployment: string): Record<string, string> => {
    const [{ env }] = podOf(manifests, deployment).containers;
    const direct = env.map(({ name, valueFrom, ...rest }: SecretVariable & { value?: string }) => [
      name,
      valueFrom ? `the key ${valueFrom.secretKeyRef.key}` : rest.value,
    ]);
    return { ...find(manifests, 'ConfigMap', deployment).data, ...Object.fromEntries(direct) };
  };

  test('runs one pod, from the image of the commands, as that image does', async () => {
    const manifests = await single();
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['waymark-single', 'waymark-tools']);
    expect(manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toEqual([]);
    const { replicas, template } = deployments[0]!.spec;
    expect(replicas).toBe(1);
    const { containers, initContainers, nodeSelector } = template.spec;
    const dockerfile = readStages(readFileSync(join(root, 'deploy/docker/Dockerfile'), 'utf8'));
    expect(containers[0]).toMatchObject({
      image: 'registry.example.com/waymark/cli:1.0.0',
      args: [...dockerfile.at(-1)!.cmd, 'all'],
      resources: { limits: { memory: '1Gi' } },
      securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    expect(initContainers[0].args.slice(0, 4)).toEqual(['node', 'main.mjs', 'migrate', '--wait']);
    expect(initContainers[0].args.slice(4).sort()).toEqual(names.filter((name) => name !== 'gateway').sort());
    expect([nodeSelector, template.metadata.labels['example.com/team']]).toEqual([
      { disk: 'fast' },
      'platform',
    ]);
    expect(template.spec.volumes[0]).toEqual({ name: 'tmp', emptyDir: { sizeLimit: '768Mi' } });
  });

  test.each(names)('gives %s the environment that it has in its own pod, but for addresses', async (name) => {
    const own = environmentIn(separated, name);
    const shared = environmentOf(name, environmentIn(await single(), 'single'));
    const addresses = ['PORT', 'ADMIN_PORT', ...names.map((each) => `${each.toUpperCase()}_URL`)];
    const compared = [
      ...variablesOf(name),
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'TZ',
      'NODE_EXTRA_CA_CERTS',
    ].filter((variable) => !addresses.includes(variable));
    const pick = (env: Record<string, string | undefined>) =>
      Object.fromEntries(compared.map((variable) => [variable, env[variable] || undefined]));
    const { MONGODB_DATABASE = environmentOf(name, {}).MONGODB_DATABASE } = own;
    expect(pick(shared)).toEqual(pick(name === 'gateway' ? own : { ...own, MONGODB_DATABASE }));
    expect(shared['LOG_LEVEL']).toBe(name === 'decisions' ? 'debug' : 'warn');
    // Without URLs, services call each other at their default ports on loopback.
    for (const variable of addresses.slice(2)) expect(shared).not.toHaveProperty(variable);
  });

  test('keeps stores, volumes, addresses, migrations and commands when it changes', async () => {
    const manifests = await single();
    const kept = (all: Manifest[], kind: string) => all.filter((manifest) => manifest.kind === kind);
    for (const kind of ['StatefulSet', 'Job', 'CronJob', 'HTTPRoute', 'ServiceMonitor', 'Pod'])
      expect([kind, kept(manifests, kind)]).toEqual([kind, kept(separated, kind)]);
    expect(kept(manifests, 'StatefulSet')).toHaveLength(3);
    expect(find(manifests, 'Deployment', 'tools')).toEqual(find(separated, 'Deployment', 'tools'));
    const addressesOf = (all: Manifest[]) =>
      kept(all, 'Service').map(({ metadata, spec }) => [
        metadata,
        spec.ports.map(({ targetPort, ...port }: { targetPort: number }) => port),
      ]);
    expect(addressesOf(manifests)).toEqual(addressesOf(separated));
    const keys = (all: Manifest[]) => Object.keys(kept(all, 'Secret')[0]!.data);
    expect(keys(manifests)).toEqual(keys(separated));
  });

  test.each(names)('leads requests and scrapes of %s to its ports in the pod', async (name) => {
    const { selector, ports } = find(await single(), 'Service', name).spec;
    expect(selector['app.kubernetes.io/component']).toBe('single');
    const expected = name === 'gateway' ? [8080, 9090] : [services[name].port, services[name].adminPort];
    expect(ports.map(({ targetPort }: { targetPort: number }) => targetPort)).toEqual(expected);
  });

  test('admits clients to the gateway, and to the other services only commands and scrapes', async () => {
    const { ingress, egress } = find(await single(), 'NetworkPolicy', 'single').spec;
    const [requests, others, scrapes] = ingress.map(
      ({ ports, from }: { ports: { port: number }[]; from: object[] }) => [
        ports.map(({ port }) => port).sort(),
        JSON.stringify(from),
      ],
    );
    expect(ingress).toHaveLength(3);
    expect(requests).toEqual([[8080], expect.stringContaining('gateways')]);
    const storing = names.filter((name) => name !== 'gateway');
    expect(others[0]).toEqual(storing.map((name) => services[name].port));
    expect(componentsOf(ingress[1].from)).toEqual(['tools']);
    expect(scrapes).toEqual([
      [...storing.map((name) => services[name].adminPort), 9090].sort(),
      expect.stringContaining('monitoring'),
    ]);
    // Stores, webhooks, mail and what the operator adds for one service; no other service.
    const blocks = [...JSON.stringify(egress).matchAll(/"cidr":"([^"]+)"/g)].map(([, cidr]) => cidr);
    expect(blocks).toEqual(
      expect.arrayContaining(['0.0.0.0/0', '10.20.0.0/16', '203.0.113.25/32', '203.0.113.0/24']),
    );
    expect(JSON.stringify(egress)).not.toContain('"port":8080');
  });

  test('alerts when the one pod is gone', async () => {
    const rule = (await single()).find(({ kind }) => kind === 'PrometheusRule')!;
    expect(JSON.stringify(rule)).toContain('service=\\"transfer\\"}) < 1');
  });
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

test('sign-up is as configured, and open in an evaluation', async () => {
  const signUpIn = async (values: string) => find(await render(values), 'ConfigMap', 'accounts').data.SIGN_UP;
  expect(await signUpIn('ha')).toBe('closed');
  expect(await signUpIn('default-external')).toBe('invite');
  expect(await signUpIn('evaluation')).toBe('open');
});

test('the audit log is kept forever, or for the configured time', async () => {
  const daysIn = async (values: string) =>
    find(await render(values), 'ConfigMap', 'audit').data.AUDIT_RETENTION_DAYS;
  expect(await daysIn('minimal')).toBeUndefined();
  expect(await daysIn('everything-on')).toBe('400');
});

test('no value depends on IPv4: no process gets an address to listen on, and MongoDB listens on all', async () => {
  const manifests = await render('evaluation');
  for (const name of names) expect(find(manifests, 'ConfigMap', name).data).not.toHaveProperty('HOST');
  const [mongod] = find(manifests, 'StatefulSet', 'mongodb').spec.template.spec.containers;
  expect(mongod.args).toEqual(expect.arrayContaining(['--bind_ip_all', '--ipv6']));
});

describe('scaling', () => {
  test('uses CPU or requests in flight, and for audit and webhooks also the number of pending events', async () => {
    const manifests = await render('ha');
    const metricsOf = (name: string) => find(manifests, 'HorizontalPodAutoscaler', name).spec.metrics;
    expect(metricsOf('decisions')).toEqual([
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      },
    ]);
    const target = { type: 'AverageValue', averageValue: '6' };
    expect(metricsOf('gateway')).toEqual([
      { type: 'Pods', pods: { metric: { name: 'waymark_requests_in_flight' }, target } },
    ]);
    for (const name of ['audit', 'webhooks']) {
      expect(metricsOf(name)[1].external.metric).toEqual({
        name: 'waymark_consumer_lag',
        selector: { matchLabels: { consumer: name } },
      });
    }
    // An autoscaler and Helm must not both set the number of replicas.
    expect(find(manifests, 'Deployment', 'decisions').spec.replicas).toBeUndefined();
    const annotations = { 'waymark/replicas': 'autoscaler' };
    expect(find(manifests, 'Deployment', 'decisions').metadata.annotations).toEqual(annotations);
    expect(find(manifests, 'Deployment', 'search').metadata.annotations).toBeUndefined();
    expect(find(manifests, 'HorizontalPodAutoscaler', 'search')).toBeUndefined();
    expect(find(manifests, 'Deployment', 'search').spec.replicas).toBe(3);
  });

  test.each<[string, string | undefined, string, number | undefined]>([
    ['omitted from the first install on', 'autoscaler', 'autoscaler', undefined],
    ['named before autoscaling was enabled', undefined, 'helm', 7],
    ['named when autoscaling was enabled', 'helm', 'helm', 7],
  ])('replicas that were %s stay so', async (_, annotation, expected, replicas) => {
    const annotations = {
      'deployment.kubernetes.io/revision': '1',
      ...(annotation && { 'waymark/replicas': annotation }),
    };
    const metadata = { name: 'waymark-decisions', annotations };
    const live = await serveLiveObjects([{ kind: 'Deployment', metadata, spec: { replicas: 7 } }]);
    try {
      const manifests = await renderInto(live.url, 'ha');
      const { metadata, spec } = find(manifests, 'Deployment', 'decisions');
      expect(metadata.annotations).toEqual({ 'waymark/replicas': expected });
      expect(spec.replicas).toBe(replicas);
    } finally {
      live.close();
    }
  });

  test('zero replicas stop a service that an autoscaler scales, and it starts again with the minimum', async () => {
    const values = join(root, 'tests/deploy/values/ha.yaml');
    const { stdout } = await template(['-f', values, '--set', 'defaults.replicas=0']);
    const manifests = parseAllDocuments(stdout).flatMap((each) => (each.toJS() as Manifest | null) ?? []);
    const { metadata, spec } = find(manifests, 'Deployment', 'decisions');
    expect([metadata.annotations, spec.replicas]).toEqual([{ 'waymark/replicas': 'helm' }, 0]);

    const live = await serveLiveObjects([{ kind: 'Deployment', metadata, spec: { replicas: 0 } }]);
    try {
      expect(find(await renderInto(live.url, 'ha'), 'Deployment', 'decisions').spec.replicas).toBe(3);
    } finally {
      live.close();
    }
  });

  test('only one pod of a service is removed at a time', async () => {
    const manifests = await render('default-external');
    for (const name of names)
      expect(find(manifests, 'PodDisruptionBudget', name).spec.maxUnavailable).toBe(1);
  });
});

describe('TLS between the services', () => {
  const FILES = { TLS_CERT_FILE: 'tls.crt', TLS_KEY_FILE: 'tls.key', TLS_CA_FILE: 'ca.crt' };
  const renderWith = async (values: string, ...set: string[]) => {
    const { stdout } = await template(['-f', join(root, `tests/deploy/values/${values}.yaml`), ...set]);
    return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
  };
  const urlsIn = (env: Record<string, string>) =>
    names.flatMap((name) => env[`${name.toUpperCase()}_URL`] ?? []).map((url) => new URL(url));
  const variablesIn = (container: { env: { name: string; value?: string }[] }) =>
    Object.fromEntries(container.env.map(({ name, value = '' }) => [name, value]));
  const secretOf = (pod: { volumes: { name: string; secret?: { secretName: string } }[] }) =>
    pod.volumes.find(({ name }) => name === 'tls')?.secret?.secretName;

  test('gives each service a certificate for the name by which others call it', async () => {
    const manifests = await render('internal-tls');
    for (const name of names) {
      const { dnsNames, secretName } = find(manifests, 'Certificate', name).spec;
      expect(dnsNames).toContain(find(manifests, 'Service', name).metadata.name);
      const pod = podOf(manifests, name);
      expect(secretOf(pod)).toBe(secretName);
      const [container] = pod.containers;
      const { mountPath } = container.volumeMounts.find((mount: { name: string }) => mount.name === 'tls');
      const { data } = find(manifests, 'ConfigMap', name);
      for (const [variable, file] of Object.entries(FILES))
        expect(data[variable]).toBe(`${mountPath}/${file}`);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        expect(container[probe].httpGet.scheme).toBe('HTTPS');
      for (const { appProtocol } of find(manifests, 'Service', name).spec.ports)
        expect(appProtocol).toBe('https');
      expect(new Set(urlsIn(data).map(({ protocol }) => protocol))).toEqual(new Set(['https:']));
    }
  });

  test('lets commands, helm test and Prometheus verify it', async () => {
    const manifests = await render('internal-tls');
    const tools = podOf(manifests, 'tools');
    const variables = variablesIn(tools.containers[0]);
    expect(
      urlsIn(variables)
        .map(({ origin }) => origin)
        .sort(),
    ).toEqual(names.map((name) => `https://waymark-${name}:8080`).sort());
    expect(variables['TLS_CA_FILE']).toBe('/etc/waymark/tls/ca.crt');
    const tested = find(manifests, 'Pod', 'test').spec;
    expect(variablesIn(tested.containers[0])['NODE_EXTRA_CA_CERTS']).toBe('/etc/waymark/tls/ca.crt');
    expect(tested.containers[0].args[0]).not.toContain('http://');
    // Neither has a private key.
    for (const { volumes } of [tools, tested])
      expect(volumes.find(({ name }: { name: string }) => name === 'tls').secret.items).toEqual([
        { key: 'ca.crt', path: 'ca.crt' },
      ]);
    for (const name of names) {
      const { selector, endpoints } = find(manifests, 'ServiceMonitor', name).spec;
      expect(find(manifests, 'Service', name).metadata.labels).toMatchObject(selector.matchLabels);
      const { dnsNames, secretName } = find(manifests, 'Certificate', name).spec;
      expect(endpoints).toMatchObject([
        { scheme: 'https', tlsConfig: { ca: { secret: { name: secretName, key: 'ca.crt' } } } },
      ]);
      expect(dnsNames).toContain(endpoints[0].tlsConfig.serverName);
    }
  });

  test('leaves the port of the gateway for requests to its proxy, unless PUBLIC_TLS is set', async () => {
    const manifests = await renderWith('everything-on', '--set', 'internalTls.existingSecret=own');
    expect(manifests.filter(({ kind }) => kind === 'Certificate')).toEqual([]);
    expect(new Set(names.map((name) => secretOf(podOf(manifests, name))))).toEqual(new Set(['own']));
    const ports = find(manifests, 'Service', 'gateway').spec.ports;
    expect(ports).toMatchObject([{ appProtocol: 'http' }, { appProtocol: 'https' }]);
    const variables = variablesIn(podOf(manifests, 'tools').containers[0]);
    expect(variables).toMatchObject({
      GATEWAY_URL: 'http://waymark-gateway:8080',
      AUDIT_URL: 'https://waymark-audit:8080',
    });
  });

  test('has no effect in mode single', async () => {
    const set = ['--set', 'internalTls.certManager.enabled=true,internalTls.certManager.issuerRef.name=a'];
    // An evaluation generates another Secret each time.
    const [without, withTls] = [await renderWith('single'), await renderWith('single', ...set)].map((all) =>
      all.filter(({ kind }) => kind !== 'Secret'),
    );
    expect(withTls).toEqual(without);
  });
});

describe('ingress', () => {
  test('an Ingress and a Gateway API route lead only to the gateway', async () => {
    const manifests = await render('everything-on');
    const ingress = manifests.find(({ kind }) => kind === 'Ingress')!;
    expect(ingress.spec.rules[0].http.paths[0].backend.service.name).toBe('waymark-gateway');
    const route = manifests.find(({ kind }) => kind === 'HTTPRoute')!;
    expect(route.spec.rules[0].backendRefs).toEqual([{ name: 'waymark-gateway', port: 8080 }]);
  });
});

test('ingress-nginx accepts exactly the request sizes that the gateway accepts', () => {
  const guide = readFileSync(join(root, 'docs/operating/kubernetes.md'), 'utf8');
  const [, gibibytes] = /proxy-body-size: (\d+)g$/m.exec(guide)!;
  const largest = Math.max(...operationList.map(({ bodyLimitBytes = 0 }) => bodyLimitBytes));
  expect(Number(gibibytes) * 2 ** 30).toBe(largest);
});

describe('monitoring', () => {
  const declared = new Set<string>();
  beforeAll(() => {
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^(libs|services)\/[^/]+\/src\/.*\.ts$/.test(path),
    )) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const [name] of text.matchAll(/(?<=')waymark_\w+(?=')/g)) declared.add(name);
    }
  });
  const usedIn = (text: string) =>
    [...text.matchAll(/waymark_[a-z_]+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, ''));

  test.each(['alerts.yaml', 'dashboard.json'])('%s queries only existing metrics', (file) => {
    const text = readFileSync(join(chart, 'files', file), 'utf8');
    expect(usedIn(text).filter((name) => !declared.has(name))).toEqual([]);
  });

  test('alerts detect a missing service or consumer', () => {
    const consumers = names.flatMap((name) => {
      const text = readFileSync(join(root, `services/${name}/src/service.ts`), 'utf8');
      return [...text.matchAll(/runtime\.consume\(\{ name: '(\w+)'/g)].map(([, consumer]) => consumer!);
    });
    expect(consumers.length).toBeGreaterThan(3);
    const { groups } = parse(readFileSync(join(chart, 'files/alerts.yaml'), 'utf8'));
    const missedBy = (alert: string) => {
      const { expr } = groups[0].rules.find((rule: { alert: string }) => rule.alert === alert);
      return expr.split(' or\n').map((part: string) => part.trim());
    };
    expect(missedBy('WaymarkServiceGone').sort()).toEqual(
      names
        .map((name) => `absent(waymark_store_up{namespace="$namespace", service="${name}", store="nats"})`)
        .sort(),
    );
    expect(missedBy('WaymarkConsumerGone').sort()).toEqual(
      consumers
        .map((name) => `absent(waymark_consumer_lag{namespace="$namespace", consumer="${name}"})`)
        .sort(),
    );
  });

  test('the latency alert excludes operations that are slow by nature', () => {
    const lasting = operationList.filter(
      ({ caller, bucket, response, takesLong, bodyLimitBytes = 0 }) =>
        caller !== 'service' &&
        (bucket === 'export' || takesLong || response.contentType || bodyLimitBytes > limits.bodyBytes),
    );
    const guide = readFileSync(join(root, 'docs/operating/kubernetes.md'), 'utf8');
    const [, excluded] = /seriesQuery: 'waymark_request_duration_seconds_sum\{.*operation!~"([\w|]+)"/.exec(
      guide,
    )!;
    expect(excluded!.split('|').sort()).toEqual(lasting.map(({ id }) => id).sort());
    for (const [file, times] of [
      ['alerts.yaml', 3],
      ['dashboard.json', 3],
    ] as const) {
      const text = readFileSync(join(chart, 'files', file), 'utf8');
      const quantiles = text.split('\n').filter((line) => /waymark_request_duration.*operation!~/.test(line));
      const left = quantiles.map((line) => /operation!~\\?"([\w|]+)\\?"/.exec(line)?.[1]?.split('|').sort());
      expect(left).toEqual(Array(times).fill(lasting.map(({ id }) => id).sort()));
    }
  });

  test('every alert has its section in docs/operating/alerts.md', () => {
    const read = (file: string) => parse(readFileSync(join(chart, 'files', file), 'utf8'));
    const rules = [...read('alerts.yaml').groups[0].rules, ...read('backup-alerts.yaml')[0].rules];
    const headings =
      readFileSync(join(root, 'docs/operating/alerts.md'), 'utf8').match(/^## Waymark\w+$/gm) ?? [];
    expect([...new Set(rules.map(({ alert }) => `## ${alert}`))]).toEqual(headings);
    for (const rule of rules) {
      expect(rule.annotations.runbook_url).toBe(`$runbooks#${rule.alert.toLowerCase()}`);
    }
  });

  test('alerts query one release by its namespace and carry that namespace as a label', async () => {
    const manifests = await render('everything-on');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    const rules = rule.spec.groups.flatMap((group: { rules: object[] }) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr, labels } of rules) {
      expect([alert, labels.namespace]).toEqual([alert, 'work']);
      const asked = expr.match(/\b(waymark|nodejs)[_:][\w:]+(\{namespace="work")?/g);
      expect(asked).not.toBeNull();
      for (const selector of asked)
        expect([alert, selector]).toEqual([alert, expect.stringContaining('"work"')]);
    }
  });

  test('alerts lead to the page that the product serves, unless another is named', async () => {
    const rule = (await render('single')).find(({ kind }) => kind === 'PrometheusRule')!;
    const links = [...JSON.stringify(rule).matchAll(/"runbook_url":"([^"]+)"/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(20);
    for (const link of links)
      expect(link).toMatch(/^https:\/\/waymark\.example\.com\/docs\/operating\/alerts#waymark[a-z]+$/);
  });

  test('rules and dashboard are rendered as they are in the chart', async () => {
    const manifests = await render('everything-on');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    const read = (file: string) => readFileSync(join(chart, 'files', file), 'utf8');
    const written = read('alerts.yaml') + read('backup-alerts.yaml').replace(/^(?=.)/gm, '  ');
    const { minReplicas } = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')).defaults.autoscaling;
    const configured = written
      .replaceAll('$namespace', 'work')
      .replaceAll('$runbooks', 'https://git.example.com/waymark/alerts.md')
      .replaceAll('$minutes', String(27 * 60))
      .replaceAll('$state', 'verified')
      .replaceAll(/\$replicas\.\w+/g, minReplicas);
    expect(rule.spec).toEqual(parse(configured));
    expect(configured).toContain('service="transfer"}) < 2\n');
    const dashboard = find(manifests, 'ConfigMap', 'dashboard').data['waymark.json'];
    expect(JSON.parse(dashboard)).toEqual(
      JSON.parse(readFileSync(join(chart, 'files/dashboard.json'), 'utf8')),
    );
  });
});

/** Returns the value with every leaf wrong, and the paths of the leaves. */
function wrongValues(value: unknown, path: string): { wrong: unknown; paths: string[] } {
  const wrongText = 'no such thing!';
  if (Array.isArray(value)) return { wrong: [wrongText], paths: [path] };
  if (typeof value === 'number') return { wrong: -1, paths: [path] };
  if (typeof value !== 'object' || value === null) return { wrong: wrongText, paths: [path] };
  const entries = Object.entries(value).map(([name, each]) => {
    return [name, wrongValues(each, path === '' ? name : `${path}.${name}`)] as const;
  });
  if (entries.length === 0) return { wrong: { [wrongText]: wrongText }, paths: [path] };
  return {
    wrong: Object.fromEntries(entries.map(([name, { wrong }]) => [name, wrong])),
    paths: entries.flatMap(([, { paths }]) => paths),
  };
}

describe('wrong values fail and name the field', () => {
  const evaluation = ['--set', 'evaluation.enabled=true,image.registry=registry.example.com/waymark'];

  test('for each field', async () => {
    const { wrong, paths } = wrongValues(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')), '');
    expect(paths.length).toBeGreaterThan(80);
    const file = join(folder, 'wrong.json');
    writeFileSync(file, JSON.stringify(wrong));
    const { code, output } = await template(['-f', file]);
    expect(code).toBe(1);
    // Helm before 3.18 writes a.b instead of /a/b.
    const text = output.replaceAll('/', '.');
    expect(paths.filter((path) => !new RegExp(`\\b${path}\\b`).test(text))).toEqual([]);
  });

  test.each([
    [
      'an Ingress without the address of the product',
      ['--set', 'ingress.enabled=true,ingress.host=waymark.example.com,trustedProxies={10.0.0.0/8}'],
      ['publicUrl'],
    ],
    [
      'two sources of certificates',
      [...evaluation, '--set', 'internalTls.existingSecret=tls,internalTls.certManager.enabled=true'],
      ['internalTls.certManager.enabled'],
    ],
    [
      'certificates without an issuer',
      [...evaluation, '--set', 'internalTls.certManager.enabled=true'],
      ['internalTls.certManager.issuerRef.name'],
    ],
    ['an unknown kind of sign-up', [...evaluation, '--set', 'signUp=sometimes'], ['signUp']],
    [
      'less than no replicas',
      [...evaluation, '--set', 'services.gateway.replicas=-1'],
      ['services.gateway.replicas'],
    ],
    ['an unknown service', [...evaluation, '--set', 'services.gatway.replicas=1'], ['gatway']],
    [
      'a mistyped field',
      [...evaluation, '--set', 'services.decisions.replica=4'],
      ['services.decisions', 'replica'],
    ],
    ...everySecret.flatMap((name): [string, string[], string[]][] => [
      [`${name} among all variables`, [...evaluation, '--set', `defaults.env.${name}=x`], [name]],
      [`${name} among a service's`, [...evaluation, '--set', `services.accounts.env.${name}=x`], [name]],
    ]),
    ...[
      ...['DRAIN_DELAY_MS', 'TRUSTED_PROXIES', 'SIGN_UP', 'MAIL_FROM'],
      ...['AUDIT_RETENTION_DAYS', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'NODE_EXTRA_CA_CERTS'],
      'TLS_CERT_FILE',
    ].map((name): [string, string[], string[]] => [
      `${name} past the value that is checked`,
      [...evaluation, '--set-string', `services.audit.env.${name}=1`],
      [name],
    ]),
    [
      'a mistyped variable',
      [...evaluation, '--set', 'services.audit.env.LOG_LEVLE=debug'],
      ['services.audit.env', 'LOG_LEVLE'],
    ],
    [
      'a variable of another service',
      [...evaluation, '--set', 'services.audit.env.LIMIT_SCALE=x'],
      ['services.audit.env', 'LIMIT_SCALE'],
    ],
    [
      'credentials in the URL of the collector',
      [...evaluation, '--set', 'tracing.endpoint=https://user:password@collector'],
      ['tracing.endpoint'],
    ],
    [
      'authorities from two sources',
      [...evaluation, '--set', 'caCertificates.configMap=a,caCertificates.secret=b'],
      ['caCertificates.secret'],
    ],
    [
      'backups without a bucket',
      [...evaluation, '--set', 'backup.enabled=true,backup.place=/tmp/backups'],
      ['backup.place'],
    ],
    [
      'changes between backups of evaluation stores',
      [
        ...evaluation,
        '--set-json',
        'backup={"enabled":true,"place":"s3://a/b","peers":[{"ipBlock":{"cidr":"203.0.113.26/32"}}],"oplog":{"schedule":"*/5 * * * *"}}',
      ],
      ['backup.oplog.schedule'],
    ],
    [
      'a volume with a name that the chart uses',
      [...evaluation, '--set-json', 'extraVolumes=[{"name":"tmp","emptyDir":{}}]'],
      ['extraVolumes.0.name'],
    ],
    ['root', [...evaluation, '--set', 'podSecurityContext.runAsUser=0'], ['podSecurityContext.runAsUser']],
    [
      'one database for all services',
      [...evaluation, '--set', 'defaults.env.MONGODB_DATABASE=x'],
      ['MONGODB_DATABASE'],
    ],
    ['an Ingress without a host', [...evaluation, '--set', 'ingress.enabled=true'], ['ingress.host']],
    [
      'a route without a Gateway',
      [...evaluation, '--set', 'gatewayApi.enabled=true'],
      ['gatewayApi.parentRefs'],
    ],
    ...[
      'ingress.enabled=true,ingress.host=waymark.example.com',
      'gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=public',
    ].map((values): [string, string[], string[]] => [
      `${values} without trusted proxies`,
      [...evaluation, '--set', values],
      ['trustedProxies'],
    ]),
    [
      'a drain that exceeds its limit',
      [...evaluation, '--set', 'drain.delaySeconds=40'],
      ['drain.delaySeconds'],
    ],
    [
      'audit entries that expire while their events may still be redelivered',
      [...evaluation, '--set', 'services.audit.retentionDays=7'],
      ['services.audit.retentionDays'],
    ],
    ['an invalid URL', [...evaluation, '--set', 'publicUrl=waymark'], ['publicUrl']],
    ['an invalid digest', [...evaluation, '--set', 'image.digests.audit=latest'], ['image.digests.audit']],
    [
      'an exception for webhooks that is not a CIDR block',
      [...evaluation, '--set', 'networkPolicy.webhooksExcept={not-a-cidr}'],
      ['networkPolicy.webhooksExcept'],
    ],
    [
      'an exception outside the range that webhooks may reach',
      [...evaluation, '--set', 'networkPolicy.webhooksExcept={fd00::/8}'],
      ['networkPolicy.webhooksExcept'],
    ],
    [
      'an exception for the whole range that webhooks may reach',
      [...evaluation, '--set', 'networkPolicy.webhooksExcept={0.0.0.0/0}'],
      ['networkPolicy.webhooksExcept'],
    ],
    [
      'a minimum of replicas above the maximum',
      [...evaluation, '--set', 'services.search.autoscaling.minReplicas=12'],
      ['services.search.autoscaling.minReplicas'],
    ],
    [
      'one value for all services',
      [...evaluation, '--set', 'defaults.autoscaling.minReplicas=5,defaults.autoscaling.maxReplicas=2'],
      ['autoscaling.minReplicas'],
    ],
    [
      'an invalid port for webhooks',
      [...evaluation, '--set', 'services.webhooks.env.WEBHOOK_PORTS=abc'],
      ['services.webhooks.env.WEBHOOK_PORTS'],
    ],
    [
      'a port for webhooks that is too high',
      [...evaluation, '--set-string', 'services.webhooks.env.WEBHOOK_PORTS=443\\,65536'],
      ['services.webhooks.env.WEBHOOK_PORTS'],
    ],
    [
      'a collector without its address',
      [...evaluation, '--set', 'tracing.endpoint=http://collector:4318'],
      ['tracing.peers'],
    ],
    [
      'mail without the address of its server',
      [...evaluation, '--set', 'mail.from=waymark@example.com'],
      ['mail.peers'],
    ],
    ['a sender that is not an address', [...evaluation, '--set', 'mail.from=waymark'], ['mail.from']],
    [
      'an egress rule without a destination',
      [...evaluation, '--set', 'services.audit.extraEgress[0].ports[0].port=443'],
      ['services.audit.extraEgress.0', 'to'],
    ],
    [
      'a peer with both a CIDR block and a selector',
      [
        ...evaluation,
        '--set-json',
        'networkPolicy.clients=[{"ipBlock":{"cidr":"10.0.0.0/8"},"podSelector":{}}]',
      ],
      ['networkPolicy.clients.0'],
    ],
    [
      'text instead of a number',
      [...evaluation, '--set-string', 'services.audit.replicas=two'],
      ['services.audit.replicas'],
    ],
  ])('%s', async (_, args, fields) => {
    const { code, output } = await template(args);
    expect(code).toBe(1);
    // Helm before 3.18 writes a.b instead of /a/b.
    for (const field of fields) expect(output.replaceAll('/', '.')).toContain(field);
  });
});

async function evaluationSecrets(): Promise<Record<string, string>> {
  const { data } = (await render('evaluation')).find(({ kind }) => kind === 'Secret')!;
  const decoded = ([name, value]: [string, unknown]) => [
    name,
    Buffer.from(String(value), 'base64').toString(),
  ];
  return Object.fromEntries(Object.entries(data).map(decoded));
}

test('an evaluation generates secrets that the services accept', async () => {
  const env = await evaluationSecrets();
  const shared = secretNames.filter((name) => name !== 'IDENTITY_PRIVATE_KEYS');
  const passwords = ['MONGODB_KEY', 'MONGODB_PASSWORD', 'REDIS_PASSWORD', 'NATS_PASSWORD'];
  expect(Object.keys(env).sort()).toEqual(
    [...shared, ...passwords, ...names.map(identityPrivateKeysOf)].sort(),
  );
  expect(env['IDENTITY_PUBLIC_KEYS']!.split(',').sort()).toEqual(identityPublicKeysOf(env).split(',').sort());
  const own = { ...env, IDENTITY_PRIVATE_KEYS: env['AUDIT_IDENTITY_PRIVATE_KEYS'] };
  expect(() => [readAuditConfig(own), readWebhooksConfig(own)]).not.toThrow();
});
