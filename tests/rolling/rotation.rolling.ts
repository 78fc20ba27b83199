import { afterAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import type { AuditVerification } from '@waymark/contracts';
import { identityPrivateKeysOf } from '@waymark/service-kit/process';
import { eventually, httpCall, startWebhookReceiver } from '@waymark/testing';
import { run } from '../../apps/cli/test/run.ts';
import { readSecrets, type Secrets, secretsFor } from '../../dev/secrets.ts';
import { startProductProcesses } from '../crash/support/product-processes.ts';
import { startTraffic } from '../crash/support/steady-traffic.ts';

const REQUESTS_PER_SECOND = 50;
const AROUND = 30;
const ROTATED = ['CURSOR_SECRETS', 'AUDIT_SIGNING_KEYS', 'WEBHOOK_ENCRYPTION_KEYS'] as const;
const IDENTITY = 'IDENTITY_PRIVATE_KEYS';

const receiver = await startWebhookReceiver();
const product = await startProductProcesses({
  only: ['accounts', 'decisions', 'audit', 'webhooks'],
  replicas: 2,
  env: { DRAIN_DELAY_MS: '2000' },
});
afterAll(async () => {
  await product.stop();
  await receiver.stop();
});

/** Returns the secrets after the step that the command line prints. */
async function nextOf(step: string, variable: string, secrets: Secrets): Promise<Secrets> {
  const env = { MONGODB_URL: product.stores.mongoUrl, ...secrets };
  const { code, out: lines, errors } = await run(env, 'secrets', step, variable);
  expect({ code, errors }).toMatchObject({ code: 0 });
  if (variable !== IDENTITY) return { ...secrets, [variable]: lines[0]! };
  const changed = lines.map((line) => /^(\w+)=(.+)$/.exec(line)!.slice(1));
  return { ...secrets, ...(Object.fromEntries(changed) as Secrets) };
}

/** Creates an endpoint with a secret rotation in progress and returns its two stored secrets. */
async function createWebhook(): Promise<string[]> {
  const { workspaceId, cookie, services } = product;
  const post = async (path: string, body: object) =>
    (await httpCall(services.baseUrl, 'POST', path, { headers: { cookie }, body })).body;
  const { id, secret } = await post('/webhooks', {
    workspaceId,
    url: receiver.url,
    events: ['decision.created'],
  });
  return [secret, (await post(`/webhooks/${id}/rotate-secret`, {})).secret];
}

/** Returns why the deliveries so far are not signed with each of the secrets. */
function faultsOf(secrets: readonly string[]): string[] {
  return receiver.requests.flatMap(({ rawBody, headers }) =>
    secrets.flatMap((secret) => {
      try {
        verifyWebhook(rawBody, headers, secret);
        return [];
      } catch (error) {
        return [String(error)];
      }
    }),
  );
}

async function expectDelivered(step: string, decisions: readonly string[]): Promise<void> {
  await eventually(() => {
    const arrived = new Set(receiver.requests.map(({ body }) => body.data.id));
    expect([step, decisions.filter((id) => !arrived.has(id))]).toEqual([step, []]);
  });
}

/** Replaces the first replica of every service concurrently, then the second. */
async function roll(secrets: Secrets): Promise<void> {
  const seen = new Set<string>();
  const firsts = product.services.processes.filter(({ service }) => !seen.has(service) && seen.add(service));
  const seconds = product.services.processes.filter((process) => !firsts.includes(process));
  for (const replicas of [firsts, seconds])
    await Promise.all(replicas.map(({ service, process }) => process.restart(secretsFor(service, secrets))));
}

describe('the secrets of a running product rotate', () => {
  it('step by step under load: every request succeeds, every webhook is signed, and heads of the old key still verify', async () => {
    const query = { workspaceId: product.workspaceId };
    const headers = { authorization: `Bearer ${product.key}` };
    const verify = async () =>
      (await httpCall(product.services.baseUrl, 'GET', '/audit-log/verify', { headers, query }))
        .body as AuditVerification;
    const before = await eventually(async () => (await verify()).head!.key_id);
    const signing = await createWebhook();
    const written: string[] = [];
    const traffic = await startTraffic(product, REQUESTS_PER_SECOND, {
      write: [
        1,
        async (call) => {
          const made = await call('POST', '/decisions', { query, headers, body: { title: 'Rotated' } });
          if (made.status === 201) written.push(made.body.id);
          return made;
        },
      ],
      list: [1, (call) => call('GET', '/decisions', { query: { ...query, limit: 5 }, headers })],
      members: [1, (call) => call('GET', '/members', { query, headers: { cookie: product.cookie } })],
      audit: [1, (call) => call('GET', '/audit-log', { query: { ...query, limit: 5 }, headers })],
    });
    try {
      await traffic.afterMore(AROUND);
      const first = await readSecrets(product.directory);
      let secrets = first;
      for (const step of ['add', 'promote', 'retire']) {
        for (const variable of [IDENTITY, ...ROTATED]) secrets = await nextOf(step, variable, secrets);
        await roll(secrets);
        await traffic.afterMore(AROUND);
        await expectDelivered(step, [...written]);
        expect([step, traffic.failures, faultsOf(signing)]).toEqual([step, [], []]);
        expect(await verify()).toMatchObject({ valid: true, fault: null });
      }
      for (const variable of [...ROTATED, identityPrivateKeysOf('gateway')])
        expect(secrets[variable]!.split(',')).not.toContain(first[variable]);
    } finally {
      await traffic.stop();
    }
    await expectDelivered('all', written);
    expect([traffic.failures, faultsOf(signing)]).toEqual([[], []]);
    await eventually(async () => expect((await verify()).head!.key_id).not.toBe(before));
    expect(await verify()).toMatchObject({ valid: true, fault: null });
  });
});
