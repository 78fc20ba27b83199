import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testFolder } from '@waymark/testing';
import { parse } from 'yaml';
import { everySecret } from '../support/manifests.ts';
import { chart, prepareTools, template } from '../support/render-chart.ts';

const folder = testFolder();
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

const fromEntries = (path: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${path}.${name}`, value]));

/** Sets a value at a path; numbers in it are positions of lists. */
function place(at: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    at[name] = value;
    return;
  }
  at[name] ??= /^\d+$/.test(rest[0]!) ? [] : {};
  place(at[name] as Record<string, unknown>, rest, value);
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

  /** Values that Kubernetes or a process refuses later, by path. */
  const refusedLater: Record<string, unknown> = {
    ...fromEntries('services.gateway.env', {
      ...{
        LOG_LEVEL: 'verbose',
        LIMIT_SCALE: '0',
        BODY_TIMEOUT_MS: '30s',
        RATE_LIMITS: '{',
        MCP_WRITES: 'yes',
      },
      ...{
        CORS_ORIGINS: 'a.example.com',
        SECURITY_CONTACT: 'a@example.com',
        DECISIONS_URL: 'decisions:8080',
      },
    }),
    ...fromEntries('services.accounts.env', {
      ...{ DEFAULT_PLAN: 'gold', MONGODB_DATABASE: 'a b', OIDC_ISSUER: 'http://idp.example.com' },
      ...{ OIDC_EMAIL_DOMAINS: '@example.com', SESSIONS_PER_USER: '0', OIDC_NAME: 'x'.repeat(61) },
    }),
    ...fromEntries('services.webhooks.env', {
      ...{ WEBHOOK_TIMEOUT_MS: '30001', WEBHOOK_RETRY_DELAYS_SECONDS: '5m', WEBHOOK_PORTS: '443,65536' },
      WEBHOOK_ALLOWED_TARGETS: '10.20.0.0/33',
    }),
    ...fromEntries('defaults.env', {
      OTEL_TRACES_SAMPLER_ARG: '2',
      UV_THREADPOOL_SIZE: 'four',
      NATS_PREFIX: 'a-b',
    }),
    fullnameOverride: 'a.b',
    'ingress.host': '192.0.2.1',
    'ingress.extraHosts.0.host': `${'x'.repeat(64)}.example.com`,
    'gatewayApi.filters.0.type': 'Wrong',
    'publicService.nodePort': 65536,
    publicUrl: 'https://a.example.com:65536',
    'backup.place': 's3://-a/b',
    'backup.recipients.0': 'age1abc',
    'backup.endpoint': 'http://a:65536',
    'image.registry': 'a:65536/b',
    'image.digests.audit': 'latest',
    'podSecurityContext.runAsUser': 0,
    'podSecurityContext.fsGroup': 2147483648,
    'publicService.port': 0,
    'migrations.deadlineSeconds': 0,
    'drain.delaySeconds': 40,
    'mail.from': 'waymark',
    // Entries would expire while their events may still be redelivered.
    'services.audit.retentionDays': 7,
    'services.audit.extraEgress.0': { ports: [{ port: 443 }] },
    // No block, one outside of the range that webhooks may reach, and the whole range.
    'networkPolicy.webhooksExcept.0': 'not-a-cidr',
    'networkPolicy.webhooksExcept.1': 'fd00::/8',
    'networkPolicy.webhooksExcept.2': '0.0.0.0/0',
    'evaluation.redis.image': 'https://a/redis',
    'evaluation.mongodb.storage': '0Gi',
    'evaluation.nats.storage': '0Gi',
    'tools.diskSize': '0Gi',
    // Without a unit, or in thousandths of a byte.
    'defaults.resources.limits.memory': '512',
    'defaults.resources.requests.memory': '0.5',
    'migrations.resources.limits.memory': '0.5',
    'migrations.resources.requests.memory': '512m',
    'stores.nats.replicas': 3,
    'stores.redis.cluster': true,
    'commonLabels.a': 'x'.repeat(64),
    commonAnnotations: { ['a'.repeat(64)]: 'x' },
    'networkPolicy.clients.0.podSelector.matchExpressions.0': { key: 'a' },
    'monitoring.serviceMonitor.relabelings.0.action': 'wrong',
    'extraObjects.0.metadata': {},
    'defaults.hostAliases.0.ip': '300.1.1.1',
    'defaults.dnsConfig.nameservers.0': 'dns.internal',
    'defaults.probes.liveness.successThreshold': 2,
    'defaults.extraEnv.0': { name: 'A', value: 'x', valueFrom: {} },
    'defaults.extraContainers.0': { name: 'a', image: 'https://a' },
    'defaults.affinity.nodeAffinity': { a: [] },
    'defaults.tolerations.0': { key: 'a', operator: 'Exists', value: 'b' },
  };

  test('for each that Kubernetes or a process would refuse later', async () => {
    const values: Record<string, unknown> = { evaluation: { enabled: true } };
    for (const [path, value] of Object.entries(refusedLater)) place(values, path.split('.'), value);
    const file = join(folder, 'refused-later.json');
    writeFileSync(file, JSON.stringify(values));
    const { code, output } = await template(['-f', file]);
    expect(code).toBe(1);
    const text = output.replaceAll('/', '.');
    expect(Object.keys(refusedLater).filter((path) => !text.includes(path))).toEqual([]);
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

  const exposed = 'trustedProxies={10.0.0.0/8}';
  const route = 'gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=a';
  const ingress = 'ingress.enabled=true,ingress.host=waymark.example.com';
  const backup = 'backup.enabled=true,backup.place=s3://abc/b,backup.peers[0].ipBlock.cidr=10.0.0.0/8';
  const scraped = 'monitoring.serviceMonitor.enabled=true,monitoring.serviceMonitor';
  const mounted =
    'extraVolumes[0].name=a,extraVolumes[0].emptyDir.medium=Memory,extraVolumeMounts[0].name=a,extraVolumeMounts[0].mountPath';
  const wildcard = 'ingress.enabled=true,ingress.host=*.example.com';
  const scheduled = ['backup.schedule', 'backup.oplog.schedule', 'doctor.schedule'];
  const schedules = [
    '61 25 * * *',
    '* * * * * *',
    '@reboot',
    '0 3 32 * *',
    '0 3 * 13 *',
    '0 3 * * 7',
    '*/0 * * * *',
  ];
  const impossible = ['0 5-1 * * *', '10-5 * * * *', '0 0 * DEC-JAN *', '0 0 31 2 *', '0 0 31 APR\\,6-9/3 *'];

  /** Values, and the fields that the refusal names unless it is the one that is set. */
  const wrong: (string | [values: string, ...fields: string[]])[] = [
    [
      'internalTls.existingSecret=tls,internalTls.certManager.enabled=true',
      'internalTls.certManager.enabled',
    ],
    ['internalTls.certManager.enabled=true', 'internalTls.certManager.issuerRef.name'],
    ['services.gatway.replicas=1', 'gatway'],
    ['services.decisions.replica=4', 'services.decisions', 'replica'],
    ['services.audit.env.LOG_LEVLE=debug', 'services.audit.env', 'LOG_LEVLE'],
    // A variable of another service.
    ['services.audit.env.LIMIT_SCALE=x', 'services.audit.env', 'LIMIT_SCALE'],
    'tracing.endpoint=https://user:password@collector',
    ['caCertificates.configMap=a,caCertificates.secret=b', 'caCertificates.secret'],
    ['backup.enabled=true,backup.place=/tmp/backups', 'backup.place'],
    'backup.endpoint=https://user:password@s3.example.com',
    ['defaults.env.MONGODB_DATABASE=x', 'MONGODB_DATABASE'],
    ['ingress.enabled=true', 'ingress.host'],
    // Names of containers that the pod has.
    ...(
      [
        ['extraContainers', 'audit'],
        ['extraInitContainers', 'await-migration'],
      ] as const
    ).map(([field, name]): [string, string] => [
      `services.audit.${field}[0].name=${name},services.audit.${field}[0].image=a`,
      `services.audit.${field}.0.name`,
    ]),
    [
      'defaults.extraContainers[0].name=a,defaults.extraContainers[0].image=a,defaults.extraInitContainers[0].name=a,defaults.extraInitContainers[0].image=a',
      'extraContainers.0.name',
    ],
    ['services.audit.extraEnv[0].name=SECRETS_DIRECTORY', 'services.audit.extraEnv.0.name'],
    ...['https://registry.example.com/waymark', 'registry.example.com//a', 'a:b/c'].map(
      (registry) => `image.registry=${registry}`,
    ),
    // Ports.
    ...['image.registry=a:0/b', 'publicUrl=https://a:654321', 'tracing.endpoint=http://a:0'],
    // More than the limit.
    'services.audit.resources.requests.memory=1Gi',
    ['services.audit.resources.limits.cpu=50m', 'services.audit.resources.requests.cpu'],
    ['mode=single,single.resources.requests.memory=1.1Gi', 'single.resources.requests.memory'],
    'migrations.resources.requests.memory=1Gi',
    [`${scraped}.interval=30s,monitoring.serviceMonitor.scrapeTimeout=1m`, 'serviceMonitor.scrapeTimeout'],
    [`${scraped}.interval=0s`, 'serviceMonitor.interval'],
    ['extraVolumeMounts[0].name=a,extraVolumeMounts[0].mountPath=/a', 'extraVolumeMounts.0.name'],
    [
      'extraVolumes[0].name=a,extraVolumes[0].emptyDir.medium=Memory,extraVolumeMounts[0].name=a,extraVolumeMounts[0].mountPath=/tmp',
      'extraVolumeMounts.0.mountPath',
    ],
    ['publicService.type=NodePort,publicService.loadBalancerSourceRanges={10.0.0.0/8}', 'publicService.type'],
    ['publicService.nodePort=30080', 'publicService.nodePort'],
    ['trustedProxies={10.0.0.0/8,0.0.0.0/0}', 'trustedProxies'],
    ['trustedProxies={::/0}', 'trustedProxies'],
    [`${ingress},publicUrl=https://other.example.com,${exposed}`, 'ingress.host', 'publicUrl'],
    // The URL of an evaluation is localhost unless it is set. A wildcard of an Ingress is one label.
    [`${ingress},${exposed}`, 'ingress.host', 'publicUrl'],
    [`${route},gatewayApi.hostnames={a.example.com},${exposed}`, 'gatewayApi.hostnames', 'publicUrl'],
    [`${wildcard},publicUrl=https://a.b.example.com,${exposed}`, 'ingress.host'],
    ...['', ',gatewayApi.hostnames={*.example.org}'].map((hostnames): [string, string] => [
      `${route},publicUrl=https://a.example.com,${exposed}${hostnames}`,
      'gatewayApi.hostnames',
    ]),
    ...schedules.map((schedule): [string, ...string[]] => [
      scheduled.map((field) => `${field}=${schedule}`).join(),
      ...scheduled,
    ]),
    ...impossible.map((schedule) => `doctor.schedule=${schedule}`),
    [`${backup},backup.schedule=${impossible[0]}`, 'backup.schedule'],
    [`${backup},evaluation.enabled=false,backup.oplog.schedule=${impossible[0]}`, 'backup.oplog.schedule'],
    // Too little for the heap to start, in any unit.
    ...['48Mi', '0.05Gi', '52428800', '0.00005T', '60M'].map(
      (memory) => `services.audit.resources.limits.memory=${memory}`,
    ),
    'migrations.resources.limits.memory=16Mi',
    ['tools.enabled=true,tools.resources.limits.memory=0.1Gi', 'tools.resources.limits.memory'],
    ['doctor.schedule=@daily,doctor.timeZone=Mars/Phobos', 'doctor.timeZone'],
    ['doctor.schedule=@daily,doctor.timeZone=Local', 'doctor.timeZone'],
    ...['/tmp', '/app'].map((path): [string, string] => [
      `secretFiles.enabled=true,secretFiles.directory=${path}`,
      `secretFiles.directory: ${path}`.replaceAll('/', '.'),
    ]),
    [`${backup},backup.timeZone=Mars/Phobos`, 'backup.timeZone'],
    ['doctor.schedule=@daily,doctor.resources.limits.memory=100Mi', 'doctor.resources.limits.memory'],
    [`${backup},backup.resources.limits.memory=16Mi`, 'backup.resources.limits.memory'],
    ['mode=single,single.resources.limits.memory=200M', 'single.resources.limits.memory'],
    ['gatewayApi.enabled=true', 'gatewayApi.parentRefs'],
    'publicUrl=waymark',
    'services.search.autoscaling.minReplicas=12',
    ['defaults.autoscaling.minReplicas=5,defaults.autoscaling.maxReplicas=2', 'autoscaling.minReplicas'],
    ['tracing.endpoint=http://collector:4318', 'tracing.peers'],
    ['mail.from=waymark@example.com', 'mail.peers'],
    'mail.from=W\nBcc: x <waymark@example.com>',
    // The path is appended, as OpenTelemetry prescribes.
    'tracing.endpoint=http://collector:4318/v1/traces',
    ...['defaults.env', 'services.accounts.env'].map((env): [string, ...string[]] => [
      everySecret.map((name) => `${env}.${name}=x`).join(),
      ...everySecret,
    ]),
    [ingress, 'trustedProxies'],
    [route, 'trustedProxies'],
  ];
  test.each(wrong.map((one) => (typeof one === 'string' ? [one, one.slice(0, one.indexOf('='))] : one)))(
    '%s',
    (values = '', ...fields) => refuses([...evaluation, '--set', values], fields),
  );

  test.each([
    `${wildcard},publicUrl=https://a.example.com,${exposed}`,
    `${route},gatewayApi.hostnames={*.example.com},publicUrl=https://a.b.example.com,${exposed}`,
    'publicService.loadBalancerSourceRanges={10.0.0.0/8}',
    ...['/etc/waymark/ca', '/etc/waymark/tls'].map((path) => `${mounted}=${path}`),
    `${mounted}=/secrets,secretFiles.enabled=true,secretFiles.injected=true,secretFiles.directory=/secrets`,
    `${backup},backup.endpoint=https://minio.storage.svc.cluster.local.:9000`,
    ...['Europe/Berlin', 'Asia/Kolkata', 'US/Eastern', 'Etc/UTC', 'UTC', 'GMT'].map(
      (zone) => `doctor.schedule=@daily,doctor.timeZone=${zone}`,
    ),
    'defaults.resources.requests.cpu=500m,defaults.resources.limits.cpu=1k',
    `${scraped}.interval=null,monitoring.serviceMonitor.scrapeTimeout=20s`,
  ])('%s is accepted', async (values) => {
    expect(await template([...evaluation, '--set', values])).toMatchObject({ code: 0 });
  });

  test('unusual ones that Kubernetes and the processes accept', async () => {
    const digest = `sha512:${'0'.repeat(128)}`;
    const values: Record<string, unknown> = {};
    const accepted: Record<string, unknown> = {
      ...fromEntries('defaults.env', { UV_THREADPOOL_SIZE: '2048', LIMIT_SCALE: '1e2\n' }),
      'services.gateway.env.RATE_LIMITS': '{\n  "session": { "export": 20 }\n}\n',
      'services.webhooks.env.WEBHOOK_RETRY_DELAYS_SECONDS': '5,\n30\n',
      'services.accounts.env.OIDC_ISSUER': 'HTTPS://id.example.com',
      publicService: { type: 'NodePort', nodePort: 80 },
      backup: { enabled: true, place: 's3://Under_score/a', peers: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
      'gatewayApi.filters': [{ type: 'ExternalAuth' }],
      extraObjects: [
        { apiVersion: 'v1', kind: 'List', metadata: {}, items: [] },
        { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'a-' } },
      ],
      'defaults.extraEnv': [{ name: 'FOO' }, { name: 'BAR', value: '', valueFrom: { fieldRef: {} } }],
      'defaults.tolerations': [{ operator: 'Exists', value: '' }],
      'defaults.extraContainers': [
        { name: 'a', image: 'my_team/tool:1' },
        { name: 'b', image: `Registry.example.com/tool@${digest}` },
      ],
    };
    for (const [path, value] of Object.entries(accepted)) place(values, path.split('.'), value);
    const file = join(folder, 'accepted.json');
    writeFileSync(file, JSON.stringify(values));
    expect(await template([...evaluation, '-f', file])).toMatchObject({ code: 0 });
  });

  test.each([
    ...['17 3 * * *', '*/5 * * * *', '0,30 8-18/2 1,15 JAN-MAR mon-fri', '@daily', '0 0 ? * 0'],
    ...['0 0 31 2 1', '0 0 29 FEB *', '0 0 31 2-4 *', '0 0 31 */2 *', '08 09 30 4/3 ?'],
  ])('the schedule %s is accepted', async (schedule) => {
    const escaped = schedule.replaceAll(',', '\\,');
    const { code, output } = await template([...evaluation, '--set', `doctor.schedule=${escaped}`]);
    expect([code, output]).toEqual([0, expect.stringContaining(`schedule: "${schedule}"`)]);
  });

  /** Variables of values that are checked. */
  const checked = [
    ...['DRAIN_DELAY_MS', 'TRUSTED_PROXIES', 'SIGN_UP', 'MAIL_FROM', 'TLS_CERT_FILE'],
    ...['AUDIT_RETENTION_DAYS', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'NODE_EXTRA_CA_CERTS'],
  ];
  test.each<[flag: string, values: string, ...fields: string[]]>([
    [
      '--set-json',
      'backup={"enabled":true,"place":"s3://abc/b","peers":[{"ipBlock":{"cidr":"203.0.113.26/32"}}],"oplog":{"schedule":"*/5 * * * *"}}',
      'backup.oplog.schedule',
    ],
    // Names of volumes of the chart.
    ['--set-json', 'extraVolumes=[{"name":"tmp","emptyDir":{}}]', 'extraVolumes.0.name'],
    ['--set-json', 'extraVolumes=[{"name":"secrets","emptyDir":{}}]', 'extraVolumes.0.name'],
    [
      '--set-json',
      'networkPolicy.clients=[{"ipBlock":{"cidr":"10.0.0.0/8"},"podSelector":{}}]',
      'networkPolicy.clients.0',
    ],
    ['--set-string', 'services.audit.replicas=two', 'services.audit.replicas'],
    ['--set-string', checked.map((name) => `services.audit.env.${name}=1`).join(), ...checked],
  ])('%s %s', (flag, values, ...fields) => refuses([...evaluation, flag, values], fields));
});
