import { beforeAll, describe, expect, test } from '@jest/globals';
import { find, names, podOf, type SecretVariable } from '../support/manifests.ts';
import { type Manifest, prepareTools, render, renderWith } from '../support/render-chart.ts';
import { serviceNeeds } from '../support/service-needs.ts';

beforeAll(prepareTools);

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
    const manifests = await renderWith('everything-on', '--set', 'backup.verify=false');
    const [container] = podIn(manifests).containers;
    expect(container.args).not.toContain('--verify');
    expect(namesOf(container)).not.toContain('AUDIT_SIGNING_KEYS');
    const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')!;
    expect(JSON.stringify(rule)).toMatch(/waymark_backup_timestamp_seconds\{[^}]*state=\\?"taken/);
  });

  test('keeps the changes between backups, without the identity, and alerts when that ends', async () => {
    const oplog = 'evaluation.enabled=false,backup.oplog.schedule=*/5 * * * *,backup.oplog.maxAgeMinutes=20';
    const manifests = await renderWith('everything-on', '--set', oplog);
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
    const named = await renderWith('everything-on', '--set', longest);
    const jobs = named.filter(({ kind }) => kind === 'CronJob');
    expect(jobs).toHaveLength(2);
    // Kubernetes appends the time of each Job.
    for (const { metadata: job } of jobs) expect(job.name.length).toBeLessThanOrEqual(52);
  });
});
