import type http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { eventually, patience, streamOf } from '@waymark/testing';
import type { DoubledKey } from './accounts-double.ts';
import { begin } from './raw-client.ts';
import { useStand } from './stand.ts';

/** A stopped clock: cached entries do not expire, so that only an announcement removes them. */
const stoppedAt = Date.now();
const stand = useStand({ gateways: 2, env: { LIMIT_SCALE: '1000' }, seams: { now: () => stoppedAt } });

/** Asks both gateways with a key. */
const ask = (key: DoubledKey) =>
  Promise.all(
    stand.gateways.map(async (gateway) => (await stand.callAt(gateway, 'GET', '/whoami', key)).status),
  );

describe.each(['/imports', '/decisions'])('a body of %s that is held back', (path) => {
  const upload = ({ key, principal }: DoubledKey) => {
    const url = `${stand.url}/v1${path}?workspaceId=${principal.workspace_id}`;
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '2' };
    const begun = begin(url, 'POST', headers);
    begun.request.write('{');
    return begun;
  };

  it('ends with the revocation of its key, and not with that of others', async () => {
    const [revoked, other] = [stand.accounts.createKey(), stand.accounts.createKey()];
    const [ending, staying] = [upload(revoked), upload(other)];
    await eventually(async () =>
      expect(await stand.metric('waymark_admission_held', 'resource="uploads"')).toBe(2),
    );
    await stand.accounts.revoke(revoked);
    expect((await ending.answer()).status).toBe(401);
    staying.request.end('}');
    expect((await staying.answer()).status).toBe(200);
    expect(stand.decisions.seen.map(({ body }) => body)).not.toContain('{');
  });
});

describe('a response that takes long', () => {
  const get = ({ key, principal }: DoubledKey) => {
    const url = `${stand.url}/v1/export?workspaceId=${principal.workspace_id}`;
    const begun = begin(url, 'GET', { 'x-api-key': key });
    begun.request.end();
    return begun;
  };
  const callers = () => [stand.accounts.createKey(), stand.accounts.createKey()] as const;

  it('ends with the revocation of its key while it is sent, and not with that of others', async () => {
    const [revoked, other] = callers();
    const open: http.ServerResponse[] = [];
    stand.decisions.respond = (_, response) => {
      open.push(response.writeHead(200));
      response.write('a');
    };
    const [ending, staying] = await Promise.all([get(revoked).response, get(other).response]);
    await stand.accounts.revoke(revoked);
    await expect(ending.toArray()).rejects.toThrow('aborted');
    for (const response of open) response.end('b');
    expect(Buffer.concat(await staying.toArray()).toString()).toBe('ab');
  });

  it('is refused after the revocation of its key before it begins', async () => {
    const [revoked, other] = callers();
    const open: http.ServerResponse[] = [];
    stand.decisions.respond = (_, response) => void open.push(response);
    const answers = [get(revoked), get(other)].map(({ answer }) => answer());
    await eventually(() => open.length === 2);
    await stand.accounts.revoke(revoked);
    expect((await answers[0]!).status).toBe(401);
    for (const response of open) response.end('{}');
    expect((await answers[1]!).status).toBe(200);
  });
});

describe('a revoked key', () => {
  it('is refused within 250 ms by every gateway that had it cached', async () => {
    const lastedMs: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const key = stand.accounts.createKey();
      expect(await ask(key)).toEqual([200, 200]);
      await stand.accounts.revoke(key);
      const revokedAt = performance.now();
      await eventually(async () => expect(await ask(key)).toEqual([401, 401]));
      lastedMs.push(performance.now() - revokedAt);
      expect(await ask(key)).toEqual([401, 401]);
    }
    // The machine may stand still now and then.
    expect(lastedMs.toSorted((a, b) => a - b)[10]).toBeLessThan(patience(250));
  });

  it.each([
    'no JSON',
    '{"instance":"a","sequence":1,"tags":null}',
    '{"instance":"a","sequence":1,"tags":{"key":"b"}}',
  ])('is refused although the gateways have received an unreadable message before: %s', async (nonsense) => {
    const key = stand.accounts.createKey();
    expect(await ask(key)).toEqual([200, 200]);
    const before = stand.accounts.lookUps();
    stand.accounts.runtime.nats.connection()!.publish(streamOf(stand.env).invalidations, nonsense);
    // The message may have been an announcement, so each gateway drops everything that it has cached.
    await eventually(async () => {
      expect(await ask(key)).toEqual([200, 200]);
      expect(stand.accounts.lookUps()).toBeGreaterThanOrEqual(before + 2);
    });
    await stand.accounts.revoke(key);
    await eventually(async () => expect(await ask(key)).toEqual([401, 401]));
  });

  it('is refused even if its look-up began before the revocation and was answered after it', async () => {
    const warm = stand.accounts.createKey();
    expect(await ask(warm)).toEqual([200, 200]);
    const key = stand.accounts.createKey();
    const release = stand.accounts.hold(key);
    const before = stand.accounts.lookUps();
    const answers = ask(key);
    await eventually(() => stand.accounts.lookUps() === before + 2);
    await stand.accounts.revoke(key);
    // The gateways must receive the announcement before the old answers. A later announcement about another
    // key shows that they have.
    await stand.accounts.revoke(warm);
    await eventually(async () => expect(await ask(warm)).toEqual([401, 401]));
    release();
    expect(await answers).toEqual([401, 401]);
  });
});
