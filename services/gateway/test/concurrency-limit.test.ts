import type http from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { begin } from './raw-client.ts';
import { useStand } from './stand.ts';

const UPLOADS = 512;
/** The most that one user, workspace or network holds: as much as it leaves outside of the reserve. */
const SHARE = (UPLOADS * 3) / 8;
/** The start of a file; what follows never comes. */
const BEGUN = Buffer.alloc(100_000, ' ');

const stand = useStand({
  env: { LIMIT_SCALE: '1000', TRUSTED_PROXIES: '127.0.0.1', BODY_TIMEOUT_MS: '600000' },
});
let uploads: http.ClientRequest[] = [];
const held = () => stand.metric('waymark_admission_held', 'resource="uploads"');
afterEach(async () => {
  for (const request of uploads) request.destroy();
  uploads = [];
  await eventually(async () => expect(await held()).toBe(0));
});

/** Starts an import or a decision whose body never ends. */
function trickle({ key, principal }: DoubledKey, address: string, path: string) {
  const url = `${stand.url}/v1/${path}?workspaceId=${principal.workspace_id}`;
  const upload = begin(url, 'POST', {
    'x-api-key': key,
    'x-forwarded-for': address,
    'content-type': 'application/json',
    'content-length': '1000000',
  });
  upload.request.on('response', (response) => response.on('error', () => undefined)).write(BEGUN);
  uploads.push(upload.request);
  return upload;
}

const listAs = ({ key, principal }: DoubledKey, address: string) =>
  stand.call('GET', '/decisions', {
    key,
    query: { workspaceId: principal.workspace_id },
    headers: { 'x-forwarded-for': address },
  });

describe('bodies that never end', () => {
  it.each<[path: string, string, (n: number) => string, (first: DoubledKey) => object]>([
    ['decisions', '30 users of one network', () => '192.0.2.1', () => ({})],
    ['imports', '30 users of one network', () => '192.0.2.1', () => ({})],
    [
      'imports',
      '30 keys of one user in as many workspaces',
      (n) => `192.0.2.${n}`,
      ({ principal }) => ({ user_id: principal.user_id }),
    ],
    [
      'imports',
      '30 users of one workspace',
      (n) => `192.0.2.${n}`,
      ({ principal }) => ({ workspace_id: principal.workspace_id }),
    ],
  ])('of %s by %s leave room for others', async (path, _, addressOf, shared) => {
    const first = stand.accounts.createKey();
    const keys = [first, ...Array.from({ length: 29 }, () => stand.accounts.createKey(shared(first)))];
    // In waves, because a listener queues at most 511 connections. On a busy machine, some are refused.
    await eventually(async () => {
      for (const [n, key] of keys.entries()) trickle(key, addressOf(n), path);
      return (await held()) >= SHARE;
    });
    const refused = await trickle(first, addressOf(0), path).answer();
    expect([refused.status, refused.body.reason, refused.headers['retry-after']]).toEqual([
      429,
      'concurrency',
      '1',
    ]);
    expect(await held()).toBe(SHARE);

    const bystander = stand.accounts.createKey();
    await eventually(async () => {
      trickle(bystander, '198.51.100.1', path);
      return (await held()) >= SHARE + 20;
    });
    for (const key of [first, bystander]) expect((await listAs(key, '198.51.100.1')).status).toBe(200);
    // A body that is refused says nothing about the service.
    expect(await stand.metric('waymark_circuit_open', 'upstream="transfer"')).toBe(0);
  });
});
