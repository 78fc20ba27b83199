import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceName } from '@waymark/contracts';
import { everySecret, find, names, podOf, type SecretVariable } from '../support/manifests.ts';
import { chart, prepareTools, render, renderWith } from '../support/render-chart.ts';
import { variablesOf } from '../support/service-needs.ts';

beforeAll(prepareTools);

describe('a changed variable', () => {
  const checksums = async (...set: string[]) => {
    const deployments = await renderWith('default-external', '-s', 'templates/deployment.yaml', ...set);
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
    const option = 'services.audit.env.NODE_OPTIONS=--trace-gc';
    const manifests = await renderWith('default-external', '--set', option);
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
