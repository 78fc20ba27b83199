import { beforeAll, describe, expect, test } from '@jest/globals';
import { identityPrivateKeysOf, identityPublicKeysOf } from '@waymark/service-kit/process';
import { readConfig as readAuditConfig } from '../../../services/audit/src/config.ts';
import { readConfig as readWebhooksConfig } from '../../../services/webhooks/src/config.ts';
import {
  evaluationSecrets,
  everySecret,
  find,
  names,
  podOf,
  type SecretVariable,
  separate,
} from '../support/manifests.ts';
import { prepareTools, render } from '../support/render-chart.ts';
import { secretNames, serviceNeeds, variablesOf } from '../support/service-needs.ts';

beforeAll(prepareTools);

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

test('every variable with a name of a secret is treated as a secret', () => {
  const suspicious = names
    .flatMap(variablesOf)
    .filter((name) => /(SECRETS?|KEYS?|PASSWORDS?|TOKENS?|HEADERS|CREDS)$/.test(name));
  expect([...new Set(suspicious)].sort()).toEqual(
    everySecret.filter((name) => !name.endsWith('_URL')).sort(),
  );
});

test('an evaluation generates secrets that the services accept', async () => {
  const env = await evaluationSecrets();
  const shared = secretNames.filter((name) => name !== 'IDENTITY_PRIVATE_KEYS');
  const passwords = ['MONGODB_KEY', 'MONGODB_PASSWORD', 'REDIS_PASSWORD', 'OPERATOR_NATS_PASSWORD'];
  const ofServices = names.map((name) => name.toUpperCase());
  const natsUsers = ofServices.flatMap((name) => [`${name}_NATS_PASSWORD`, `${name}_NATS_URL`]);
  expect(Object.keys(env).sort()).toEqual(
    [...shared, ...passwords, ...natsUsers, ...names.map(identityPrivateKeysOf)].sort(),
  );
  expect(env['IDENTITY_PUBLIC_KEYS']!.split(',').sort()).toEqual(identityPublicKeysOf(env).split(',').sort());
  for (const name of ofServices) {
    const { username, password } = new URL(env[`${name}_NATS_URL`]!);
    expect([username.toUpperCase(), password]).toEqual([name, env[`${name}_NATS_PASSWORD`]]);
  }
  expect(new URL(env['NATS_URL']!)).toMatchObject({
    username: 'operator',
    password: env['OPERATOR_NATS_PASSWORD'],
  });
  const own = { ...env, IDENTITY_PRIVATE_KEYS: env['AUDIT_IDENTITY_PRIVATE_KEYS'] };
  expect(() => [readAuditConfig(own), readWebhooksConfig(own)]).not.toThrow();
});

test('each service has the URL of its own user of NATS, in an evaluation or by the operator', async () => {
  const keyOf = async (values: string, name: string) => {
    const { env } = podOf(await render(values), name).containers[0];
    return env.find((each: SecretVariable) => each.name === 'NATS_URL').valueFrom.secretKeyRef.key;
  };
  for (const name of names) expect(await keyOf('evaluation', name)).toBe(`${name.toUpperCase()}_NATS_URL`);
  expect(await keyOf('ha', 'webhooks')).toBe('WEBHOOKS_EVENTS_URL');
  expect(await keyOf('ha', 'gateway')).toBe('NATS_URL');
  expect(await keyOf('everything-on', 'tools')).toBe('NATS_URL');
});
