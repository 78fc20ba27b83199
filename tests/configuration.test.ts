import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAccounts } from '@waymark/accounts';
import { startAudit } from '@waymark/audit';
import type { ServiceName } from '@waymark/contracts';
import { startDecisions } from '@waymark/decisions';
import { startGateway } from '@waymark/gateway';
import { startSearch } from '@waymark/search';
import { EnvironmentError, type RunningService } from '@waymark/service-kit/process';
import { httpCall, type Start, serviceEnvironment, testEnvironment, testIdentity } from '@waymark/testing';
import { startThreads } from '@waymark/threads';
import { startTransfer } from '@waymark/transfer';
import { startWebhooks } from '@waymark/webhooks';
import { startWorkflows } from '@waymark/workflows';

/** For each service: further variables with wrong values, and an operation that needs the database. */
const table: {
  service: ServiceName;
  start: Start;
  wrong: Record<string, string>;
  read?: [string, string];
}[] = [
  {
    service: 'accounts',
    start: startAccounts,
    wrong: { SIGN_UP: 'sometimes', DEFAULT_PLAN: 'gold', PUBLIC_URL: 'nowhere' },
    read: ['GET', '/workspaces'],
  },
  {
    service: 'decisions',
    start: startDecisions,
    wrong: { PUBLIC_URL: 'ftp://x' },
    read: ['GET', '/decisions?workspaceId={id}'],
  },
  { service: 'workflows', start: startWorkflows, wrong: {}, read: ['GET', '/workflows?workspaceId={id}'] },
  { service: 'threads', start: startThreads, wrong: {}, read: ['GET', '/threads/{id}?workspaceId={id}'] },
  {
    service: 'search',
    start: startSearch,
    wrong: { INDEX_THREADS: '0' },
    read: ['GET', '/search?workspaceId={id}&q=x'],
  },
  {
    service: 'audit',
    start: startAudit,
    wrong: { AUDIT_SIGNING_KEYS: 'no key' },
    read: ['GET', '/audit-log?workspaceId={id}'],
  },
  {
    service: 'webhooks',
    start: startWebhooks,
    wrong: { WEBHOOK_ENCRYPTION_KEYS: 'short', WEBHOOK_PORTS: '0' },
    read: ['GET', '/webhooks?workspaceId={id}'],
  },
  {
    service: 'transfer',
    start: startTransfer,
    wrong: { IMPORT_SWEEP_MS: 'soon', IMPORT_LEASE_MS: '10' },
    read: ['GET', '/export?workspaceId={id}'],
  },
  {
    service: 'gateway',
    start: startGateway,
    wrong: { RATE_LIMITS: '{', TRUSTED_PROXIES: 'x', LIMIT_SCALE: '-1' },
  },
];

const commonWrong = {
  PORT: '70000',
  LOG_LEVEL: 'loud',
  IDENTITY_PRIVATE_KEYS: 'short',
  IDENTITY_PUBLIC_KEYS: 'gateway=short',
  CURSOR_SECRETS: 'short',
  NATS_PREFIX: 'a b',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'no pair',
  OTEL_TRACES_SAMPLER_ARG: '2',
};
const ID = '019a0000-0000-7000-8000-000000000000';

describe.each(table)('the environment of $service', ({ service, start, wrong, read }) => {
  const env = serviceEnvironment(testEnvironment(), service);

  it('stops the service at the start if it is wrong, and names every wrong variable but no value', async () => {
    const all: Record<string, string> = { ...commonWrong, ...wrong };
    const error: unknown = await start({ ...env, ...all }).catch((caught) => caught);
    expect(error).toBeInstanceOf(EnvironmentError);
    const lines = (error as Error).message.split('\n').slice(1);
    expect(lines.map((line) => line.trim().split(/[:.]/)[0]).sort()).toEqual(Object.keys(all).sort());
    expect((error as Error).message).not.toContain('no key');
  });

  if (!read) return;
  describe('without a database', () => {
    let running: RunningService;
    beforeAll(async () => {
      running = await start({ ...env, MONGODB_URL: undefined });
      await running.ready;
    });
    afterAll(() => running.stop());

    it('returns 503 DATABASE_NOT_CONFIGURED', async () => {
      const membership = { workspace_id: ID, role: 'owner', plan: 'business' } as const;
      const session = { user_id: ID, user_name: 'Ada', session_id: ID, membership };
      const token = await testIdentity().sign({ type: 'session', ...session }, service);
      const path = `/v1${read[1].replaceAll('{id}', ID)}`;
      const answer = await httpCall(running.url, read[0], path, { headers: { 'x-waymark-identity': token } });
      // Waiting does not help.
      const { status, body, headers } = answer;
      expect([status, body.error, headers['retry-after']]).toEqual([
        503,
        'DATABASE_NOT_CONFIGURED',
        undefined,
      ]);
    });
  });

  it('makes the service refuse an unmigrated database, unless the service may migrate it', async () => {
    const unmigrated = await start({
      ...env,
      MIGRATE_ON_START: 'false',
      MONGODB_DATABASE: `${env['MONGODB_DATABASE']}_none`,
    });
    await expect(unmigrated.ready).rejects.toThrow(`${service}: a migration is pending`);
    await unmigrated.stop();
  });
});
