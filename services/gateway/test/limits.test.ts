import { describe, expect, it } from '@jest/globals';
import type { Answer } from '@waymark/testing';
import { type Call, type Stand, startStand } from './stand.ts';

const FAR = 1_000_000;

const startWith = (limits: object, env: Record<string, string> = {}, gateways = 1) =>
  startStand({ gateways, env: { RATE_LIMITS: JSON.stringify(limits), ...env } });

/** Sends `count` calls at once, to both gateways in turn. */
function burst(stand: Stand, count: number, method: string, path: string, input: Call): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, i) => stand.callAt(stand.gateways[i % 2]!, method, path, input)),
  );
}

/** The resets of two one-minute windows differ by more than this. */
const APART_SECONDS = 30;

/** Repeats `work` until all of its answers fall into one window of a minute. */
async function inOneWindow(work: () => Promise<Answer[]>): Promise<Answer[]> {
  for (;;) {
    const answers = await work();
    const ends = answers.map(({ headers }) => Number(headers['x-ratelimit-reset']));
    if (Math.max(...ends) - Math.min(...ends) < APART_SECONDS) return answers;
  }
}

const byWindow = (answers: Answer[]) => [
  ...Map.groupBy(answers, (answer) => answer.headers['x-ratelimit-reset']).values(),
];
const passed = (answers: Answer[]) => answers.filter((answer) => answer.status === 200).length;
const refused = (answers: Answer[]) => answers.find((answer) => answer.status === 429)!;

/** Sends `count` drafts at once, and checks that Redis counted them, not a gateway by itself. */
async function mutate(
  stand: Stand,
  count: number,
  { key, principal }: ReturnType<Stand['accounts']['createKey']>,
): Promise<Answer[]> {
  const query = { workspaceId: principal.workspace_id };
  const answers = await burst(stand, count, 'POST', '/quality', { key, query, body: { title: 'A draft' } });
  for (const gateway of stand.gateways) {
    expect(
      await stand.metricAt(gateway, 'waymark_limiter_decisions_total', 'by="memory"', 'result="allowed"'),
    ).toBe(0);
  }
  return answers;
}

describe('200 concurrent mutations over two gateways', () => {
  it('pass up to exactly the limit of the key', async () => {
    await using stand = await startWith({ workspace: { business: { mutation: FAR } } }, {}, 2);
    for (let round = 0; round < 3; round += 1) {
      const answers = await mutate(stand, 200, stand.accounts.createKey());
      for (const window of byWindow(answers)) expect(passed(window)).toBe(Math.min(30, window.length));
      expect(stand.decisions.seen.length).toBe(passed(answers));
      stand.decisions.seen = [];
    }
  });
});

describe('the workspace ceiling', () => {
  it('applies to all keys of the workspace together, and charges nothing to a key that it refuses', async () => {
    const limits = { key: { business: { mutation: 20 } }, workspace: { business: { mutation: 30 } } };
    await using stand = await startWith(limits, {}, 2);
    const answers = await inOneWindow(async () => {
      const first = stand.accounts.createKey();
      const { workspace_id } = first.principal;
      const second = stand.accounts.createKey({ workspace_id });
      return [...(await mutate(stand, 20, first)), ...(await mutate(stand, 40, second))];
    });
    expect([passed(answers.slice(0, 20)), passed(answers.slice(20))]).toEqual([20, 10]);
    const { headers, body } = refused(answers);
    expect(body).toMatchObject({ error: 'RATE_LIMITED', reason: 'rate_limit' });
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['30', '0']);
    expect(headers['ratelimit-policy']).toBe('"key";q=20;w=60, "workspace";q=30;w=60');
    expect(headers['ratelimit']).toMatch(/^"workspace";r=0;t=\d+, "key";r=10;t=\d+$/);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  });
});

describe('buckets', () => {
  it('are charged also for requests that are refused later: for a scope, a workspace, an unknown path', async () => {
    await using stand = await startWith({ key: { business: { read: 3 } } });
    const answers = await inOneWindow(async () => {
      const { key } = stand.accounts.createKey();
      const query = { workspaceId: crypto.randomUUID() };
      return [
        await stand.call('GET', '/decisions', { key, query }),
        await stand.call('GET', '/nowhere', { key }),
        await stand.call('GET', '/members', { key, query }),
        await stand.call('GET', '/nowhere', { key }),
      ];
    });
    expect(answers.map((answer) => answer.status)).toEqual([403, 404, 403, 429]);
    expect(answers.map((answer) => answer.headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    const decisions = (result: string) =>
      stand.metric('waymark_limiter_decisions_total', 'by="redis"', `result="${result}"`);
    expect(await decisions('allowed')).toBeGreaterThanOrEqual(3);
    expect(await decisions('refused')).toBeGreaterThanOrEqual(1);
    expect(await stand.metric('waymark_limiter_insurance')).toBe(0);
  });

  it('are multiplied by LIMIT_SCALE, never below 1; users have others than keys and other users', async () => {
    await using stand = await startWith({ session: { read: 7 } }, { LIMIT_SCALE: '0.1' });
    const { key, principal } = stand.accounts.createKey();
    const query = { workspaceId: principal.workspace_id };
    const read = await stand.call('GET', '/decisions', { key, query });
    expect(read.headers['ratelimit-policy']).toBe('"key";q=10;w=60, "workspace";q=30;w=60');
    for (let users = 0; users < 2; users += 1) {
      const { cookie } = stand.accounts.createSession();
      const { status, headers } = await stand.call('GET', '/whoami', { cookie });
      expect([status, headers['ratelimit-policy']]).toEqual([200, '"session";q=1;w=60']);
    }
  });
});

describe('the bucket of an address', () => {
  it('is charged without valid credentials; once exhausted, it causes no look-ups at accounts', async () => {
    await using stand = await startWith({ address: { read: 5 } });
    const proven = stand.accounts.createKey();
    expect((await stand.call('GET', '/whoami', { key: proven.key })).status).toBe(200);
    let lookUps = 0;
    const answers = await inOneWindow(async () => {
      const sent: Answer[] = [];
      for (let i = 0; i < 7; i += 1) sent.push(await stand.call('GET', i % 2 ? '/whoami' : '/nowhere'));
      const before = stand.accounts.lookUps();
      for (let i = 0; i < 5; i += 1) {
        const { key } = stand.accounts.createKey();
        sent.push(await stand.call('GET', '/whoami', { key }));
      }
      sent.push(await stand.call('GET', '/changelog'));
      lookUps = stand.accounts.lookUps() - before;
      // Keys that were verified before are still accepted from the same address.
      sent.push(await stand.call('GET', '/whoami', { key: proven.key }));
      sent.push(await stand.call('GET', '/changelog'));
      return sent;
    });
    expect(refused(answers).headers['ratelimit-policy']).toBe('"address";q=5;w=60');
    expect(refused(answers).headers['x-ratelimit-remaining']).toBe('0');
    expect(answers.slice(7).map(({ status }) => status)).toEqual([429, 429, 429, 429, 429, 429, 200, 429]);
    expect(lookUps).toBe(0);
  });

  it('belongs to the client behind a trusted proxy, and to the /64 of an IPv6 client', async () => {
    await using stand = await startWith(
      { address: { read: 2 } },
      { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' },
    );
    const from = (forwarded: string) =>
      stand.call('GET', '/nowhere', { headers: { 'x-forwarded-for': forwarded } });
    const statuses = await inOneWindow(async () => {
      const [a, b] = [Math.floor(Math.random() * 65_536), Math.floor(Math.random() * 250)];
      const block = `2001:db8:${a.toString(16)}:1`;
      return [
        await from(`203.0.${b}.1`),
        await from(`203.0.${b}.1, 10.1.1.1`),
        await from(`198.51.100.9, 203.0.${b}.1, 10.1.1.1`),
        await from(`203.0.${b}.2`),
        await from(`${block}::1`),
        await from(`${block}::2`),
        await from(`${block}:ffff::3`),
      ];
    });
    expect(statuses.map((answer) => answer.status)).toEqual([404, 404, 429, 404, 404, 404, 429]);
  });
});

describe('a batch', () => {
  const batch = (stand: Stand, size: string | undefined, key: string) =>
    stand.call('POST', '/batch', {
      key,
      body: {},
      headers: size === undefined ? {} : { 'batch-size': size },
    });

  it('costs a mutation for every ten operations in both tiers, and is refused whole when fewer are left', async () => {
    const limits = { key: { business: { mutation: 12 } }, workspace: { business: { mutation: 20 } } };
    await using stand = await startWith(limits);
    const answers = await inOneWindow(async () => {
      stand.decisions.seen = [];
      const first = stand.accounts.createKey();
      const second = stand.accounts.createKey({ workspace_id: first.principal.workspace_id });
      const sent: Answer[] = [];
      for (const size of ['37', '100', '60', '20', '1']) sent.push(await batch(stand, size, first.key));
      for (const size of ['90', '80']) sent.push(await batch(stand, size, second.key));
      return sent;
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 200, 429, 429, 200]);
    const left = answers.slice(0, 5).map(({ headers }) => headers['x-ratelimit-remaining']);
    expect(left).toEqual(['8', '8', '2', '0', '0']);
    expect(answers[1]!.body.message).toContain('has only 8 requests left');
    expect(stand.decisions.seen).toHaveLength(4);
  });

  it('is refused without a well-formed size, and then costs one request of its key', async () => {
    await using stand = await startWith({});
    const { key } = stand.accounts.createKey();
    for (const size of [undefined, '0', '101', '1e3', '2, 2', '+2', '02']) {
      const { status, body, headers } = await batch(stand, size, key);
      expect([size, status, body.issues?.[0].path]).toEqual([size, 400, 'Batch-Size']);
      expect(headers['ratelimit-policy']).toContain('"key"');
    }
    expect(stand.decisions.seen).toHaveLength(0);
  });
});
