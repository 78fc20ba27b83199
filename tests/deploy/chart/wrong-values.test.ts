import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { everySecret } from '../support/manifests.ts';
import { chart, prepareTools, template } from '../support/render-chart.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-chart-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(prepareTools);

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

  async function refuses(args: string[], fields: string[]): Promise<void> {
    const { code, output } = await template(args);
    expect(code).toBe(1);
    // Helm before 3.18 writes a.b instead of /a/b.
    for (const field of fields) expect(output.replaceAll('/', '.')).toContain(field);
  }

  test('an Ingress without the address of the product', () =>
    refuses(
      ['--set', 'ingress.enabled=true,ingress.host=waymark.example.com,trustedProxies={10.0.0.0/8}'],
      ['publicUrl'],
    ));

  test.each<[name: string, values: string, ...fields: string[]]>([
    [
      'two sources of certificates',
      'internalTls.existingSecret=tls,internalTls.certManager.enabled=true',
      'internalTls.certManager.enabled',
    ],
    [
      'certificates without an issuer',
      'internalTls.certManager.enabled=true',
      'internalTls.certManager.issuerRef.name',
    ],
    ['an unknown kind of sign-up', 'signUp=sometimes', 'signUp'],
    ['less than no replicas', 'services.gateway.replicas=-1', 'services.gateway.replicas'],
    ['an unknown service', 'services.gatway.replicas=1', 'gatway'],
    ['a mistyped field', 'services.decisions.replica=4', 'services.decisions', 'replica'],
    ['a mistyped variable', 'services.audit.env.LOG_LEVLE=debug', 'services.audit.env', 'LOG_LEVLE'],
    [
      'a variable of another service',
      'services.audit.env.LIMIT_SCALE=x',
      'services.audit.env',
      'LIMIT_SCALE',
    ],
    [
      'credentials in the URL of the collector',
      'tracing.endpoint=https://user:password@collector',
      'tracing.endpoint',
    ],
    [
      'authorities from two sources',
      'caCertificates.configMap=a,caCertificates.secret=b',
      'caCertificates.secret',
    ],
    ['backups without a bucket', 'backup.enabled=true,backup.place=/tmp/backups', 'backup.place'],
    ['root', 'podSecurityContext.runAsUser=0', 'podSecurityContext.runAsUser'],
    ['one database for all services', 'defaults.env.MONGODB_DATABASE=x', 'MONGODB_DATABASE'],
    ['an Ingress without a host', 'ingress.enabled=true', 'ingress.host'],
    ...['512', '512m', '0.5'].flatMap((memory): [string, string, string][] => [
      [
        `${memory} bytes of memory`,
        `defaults.resources.limits.memory=${memory}`,
        'defaults.resources.limits.memory',
      ],
      [
        `${memory} bytes of memory for one`,
        `migrations.resources.requests.memory=${memory}`,
        'migrations.resources.requests.memory',
      ],
    ]),
    ...['https://registry.example.com/waymark', 'registry.example.com//a', 'a:b/c'].map(
      (registry): [string, string, string] => [
        `${registry} as a registry`,
        `image.registry=${registry}`,
        'image.registry',
      ],
    ),
    [
      'the image of a store with a scheme',
      'evaluation.redis.image=https://a/redis',
      'evaluation.redis.image',
    ],
    [
      'an Ingress for another host than that of the product',
      'ingress.enabled=true,ingress.host=waymark.example.org,publicUrl=https://waymark.example.com,trustedProxies={10.0.0.0/8}',
      'ingress.host',
      'publicUrl',
    ],
    ...['', ',gatewayApi.hostnames={*.example.org}'].map((hostnames): [string, string, string] => [
      `a route that does not lead to the product${hostnames}`,
      `gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=a,publicUrl=https://a.example.com,trustedProxies={10.0.0.0/8}${hostnames}`,
      'gatewayApi.hostnames',
    ]),
    ...[
      '61 25 * * *',
      '* * * * * *',
      '@reboot',
      '0 3 32 * *',
      '0 3 * 13 *',
      '0 3 * * 7',
      '*/0 * * * *',
    ].flatMap((schedule): [string, string, string][] =>
      ['backup.schedule', 'backup.oplog.schedule', 'doctor.schedule'].map((field) => [
        `${schedule} as ${field}`,
        `${field}=${schedule}`,
        field,
      ]),
    ),
    [
      'too little memory for the heap to start',
      'services.audit.resources.limits.memory=48Mi',
      'services.audit.resources.limits.memory',
    ],
    [
      'too little memory for all services',
      'mode=single,single.resources.limits.memory=200M',
      'single.resources.limits.memory',
    ],
    ['an age recipient that was cut', 'backup.recipients={age1abc}', 'backup.recipients.0'],
    ['a Service for clients without a port', 'publicService.port=0', 'publicService.port'],
    ['a Job without time', 'migrations.deadlineSeconds=0', 'migrations.deadlineSeconds'],
    ['a route without a Gateway', 'gatewayApi.enabled=true', 'gatewayApi.parentRefs'],
    ['a drain that exceeds its limit', 'drain.delaySeconds=40', 'drain.delaySeconds'],
    [
      'audit entries that expire while their events may still be redelivered',
      'services.audit.retentionDays=7',
      'services.audit.retentionDays',
    ],
    ['an invalid URL', 'publicUrl=waymark', 'publicUrl'],
    ['an invalid digest', 'image.digests.audit=latest', 'image.digests.audit'],
    [
      'an exception for webhooks that is not a CIDR block',
      'networkPolicy.webhooksExcept={not-a-cidr}',
      'networkPolicy.webhooksExcept',
    ],
    [
      'an exception outside the range that webhooks may reach',
      'networkPolicy.webhooksExcept={fd00::/8}',
      'networkPolicy.webhooksExcept',
    ],
    [
      'an exception for the whole range that webhooks may reach',
      'networkPolicy.webhooksExcept={0.0.0.0/0}',
      'networkPolicy.webhooksExcept',
    ],
    [
      'a minimum of replicas above the maximum',
      'services.search.autoscaling.minReplicas=12',
      'services.search.autoscaling.minReplicas',
    ],
    [
      'one value for all services',
      'defaults.autoscaling.minReplicas=5,defaults.autoscaling.maxReplicas=2',
      'autoscaling.minReplicas',
    ],
    [
      'an invalid port for webhooks',
      'services.webhooks.env.WEBHOOK_PORTS=abc',
      'services.webhooks.env.WEBHOOK_PORTS',
    ],
    ['a collector without its address', 'tracing.endpoint=http://collector:4318', 'tracing.peers'],
    ['mail without the address of its server', 'mail.from=waymark@example.com', 'mail.peers'],
    ['a sender that is not an address', 'mail.from=waymark', 'mail.from'],
    [
      'an egress rule without a destination',
      'services.audit.extraEgress[0].ports[0].port=443',
      'services.audit.extraEgress.0',
      'to',
    ],
    ...everySecret.flatMap((name): [string, string, string][] => [
      [`${name} among all variables`, `defaults.env.${name}=x`, name],
      [`${name} among a service's`, `services.accounts.env.${name}=x`, name],
    ]),
    ...[
      'ingress.enabled=true,ingress.host=waymark.example.com',
      'gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=public',
    ].map((values): [string, string, string] => [
      `${values} without trusted proxies`,
      values,
      'trustedProxies',
    ]),
  ])('%s', (_, values, ...fields) => refuses([...evaluation, '--set', values], fields));

  test.each(['17 3 * * *', '*/5 * * * *', '0,30 8-18/2 1,15 JAN-MAR mon-fri', '@daily', '0 0 ? * 0'])(
    'the schedule %s is accepted',
    async (schedule) => {
      const escaped = schedule.replaceAll(',', '\\,');
      const { code, output } = await template([...evaluation, '--set', `doctor.schedule=${escaped}`]);
      expect([code, output]).toEqual([0, expect.stringContaining(`schedule: "${schedule}"`)]);
    },
  );

  test.each<[name: string, flag: string, values: string, field: string]>([
    [
      'changes between backups of evaluation stores',
      '--set-json',
      'backup={"enabled":true,"place":"s3://a/b","peers":[{"ipBlock":{"cidr":"203.0.113.26/32"}}],"oplog":{"schedule":"*/5 * * * *"}}',
      'backup.oplog.schedule',
    ],
    [
      'a volume with a name that the chart uses',
      '--set-json',
      'extraVolumes=[{"name":"tmp","emptyDir":{}}]',
      'extraVolumes.0.name',
    ],
    [
      'a volume with the name of that of the secrets',
      '--set-json',
      'extraVolumes=[{"name":"secrets","emptyDir":{}}]',
      'extraVolumes.0.name',
    ],
    [
      'a port for webhooks that is too high',
      '--set-string',
      'services.webhooks.env.WEBHOOK_PORTS=443\\,65536',
      'services.webhooks.env.WEBHOOK_PORTS',
    ],
    [
      'a peer with both a CIDR block and a selector',
      '--set-json',
      'networkPolicy.clients=[{"ipBlock":{"cidr":"10.0.0.0/8"},"podSelector":{}}]',
      'networkPolicy.clients.0',
    ],
    ['text instead of a number', '--set-string', 'services.audit.replicas=two', 'services.audit.replicas'],
    ...[
      ...['DRAIN_DELAY_MS', 'TRUSTED_PROXIES', 'SIGN_UP', 'MAIL_FROM'],
      ...['AUDIT_RETENTION_DAYS', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'NODE_EXTRA_CA_CERTS'],
      'TLS_CERT_FILE',
    ].map((name): [string, string, string, string] => [
      `${name} past the value that is checked`,
      '--set-string',
      `services.audit.env.${name}=1`,
      name,
    ]),
  ])('%s', (_, flag, values, field) => refuses([...evaluation, flag, values], [field]));
});
