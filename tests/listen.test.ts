import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@waymark/client';
import { mintApiKey } from '@waymark/contracts';
import { freePort } from '@waymark/local-stack';
import { answer, eventually, startWebhookReceiver } from '@waymark/testing';
import { type ListenOptions, type ListenSeams, listen } from '../apps/cli/src/commands/listen.ts';
import { run } from '../apps/cli/test/run.ts';
import { joinProduct } from './support/join-product.ts';
import type { Workspace } from './support/records.ts';

const product = joinProduct();
let workspace: Workspace;
const receiver = await startWebhookReceiver();
beforeEach(async () => {
  workspace = await product.workspace();
  receiver.requests.length = 0;
  receiver.behave(answer());
  // The last event of a new workspace.
  await eventually(async () => (await loggedTypes()).includes('api_key.created'));
});
afterAll(() => receiver.stop());

const create = async (title: string) =>
  (await product.call('POST', '/decisions', { key: workspace.key, body: { title } })).body.id as string;
const bodies = () => receiver.requests.map(({ body }) => body);
const titles = () => bodies().map(({ data }) => data.title);

/** Waits until the log has so many decisions. */
const logged = (count: number) =>
  eventually(async () => {
    const types = await loggedTypes();
    return types.filter((type) => type === 'decision.created').length >= count;
  });

async function loggedTypes(): Promise<string[]> {
  const { body } = await product.call('GET', '/event-log', { key: workspace.key });
  return body.data.map(({ type }: { type: string }) => type);
}

/** Listens until `stop`. */
function start(options: Partial<ListenOptions> = {}, seams: ListenSeams = {}) {
  const out: string[] = [];
  const errors: string[] = [];
  const interrupted = new AbortController();
  const terminal = {
    env: {},
    out: (line: string) => out.push(line),
    error: (line: string) => errors.push(line),
    interruption: () => interrupted.signal,
  };
  const all = { forwardTo: receiver.url, replay: 0, headerPrefix: 'X-Waymark-', ...options };
  const connection = { baseUrl: `${product.url}/v1`, apiKey: workspace.key };
  const done = listen(all, connection, terminal, seams);
  async function stop() {
    interrupted.abort();
    await done;
    expect([...out, ...errors].join('\n')).not.toContain(workspace.key);
  }
  return { out, errors, stop, ready: () => eventually(() => out.length >= 2) };
}

describe('waymark listen', () => {
  it('sends each new event once, signed like a delivery with the secret that it prints', async () => {
    await create('Before');
    await logged(1);
    const { out, errors, stop, ready } = start();
    await ready();
    const id = await create('New');
    await product.call('PATCH', `/decisions/${id}`, { key: workspace.key, body: { title: 'Changed' } });
    await eventually(() => out.length >= 4);
    await stop();
    expect(titles()).toEqual(['New', 'Changed']);
    const secret = /^signing secret of this session: (whsec_.+)$/.exec(out[0]!)![1]!;
    const [{ rawBody, headers }] = receiver.requests as [(typeof receiver.requests)[number]];
    const verified = verifyWebhook(rawBody, headers as Record<string, string>, secret);
    expect(verified).toMatchObject({ event: 'decision.created', payload: { data: { id, title: 'New' } } });
    expect(verified.deliveryId).toBe(verified.id);
    expect(() => verifyWebhook(`${rawBody} `, headers as Record<string, string>, secret)).toThrow();
    expect(out.slice(2)).toEqual([
      expect.stringMatching(/^\d+ decision\.created: 200 in \d+ ms$/),
      expect.stringMatching(/^\d+ decision\.updated: 200 in \d+ ms$/),
    ]);
    expect(errors).toEqual([]);
  });

  it('prints events of some types alone, as lines of JSON', async () => {
    const { out, errors, stop } = start({ forwardTo: undefined, print: true, events: ['decision.updated'] });
    await eventually(() => errors.length === 1);
    const id = await create('Printed');
    await product.call('PATCH', `/decisions/${id}`, { key: workspace.key, body: { title: 'Changed' } });
    await eventually(() => out.length === 1);
    await stop();
    expect(JSON.parse(out[0]!)).toMatchObject({ type: 'decision.updated', subject: { id } });
    expect(errors).toEqual(['printing events; press Ctrl-C to end']);
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    [{ forwardTo: undefined }, /--print/],
    [{ events: ['decision.crated'] }, /no event has the type decision\.crated/],
  ])('refuses %p', async (options, message) => {
    await expect(start(options).stop()).rejects.toThrow(message);
  });

  it('sends the latest events again, and says what it may not send', async () => {
    for (const title of ['one', 'two', 'three']) await create(title);
    await logged(3);
    const replayed = start({ replay: 2 });
    await eventually(() => receiver.requests.length === 2);
    await replayed.stop();
    expect(titles().sort()).toEqual(expect.arrayContaining(['three']));
    const all = start({ replay: 1_000 });
    await eventually(() => receiver.requests.length === 5);
    await all.stop();
    expect(all.out.join('\n')).toMatch(/^\d+ api_key\.created: not sent: only admins may read it$/m);
    expect(new Set(titles())).toEqual(new Set(['one', 'two', 'three']));
  });

  it('continues after a lost connection, and says so in one line', async () => {
    let isLost = false;
    const pauses: number[] = [];
    const { out, errors, stop, ready } = start(
      {},
      {
        async fetch(request) {
          if (isLost) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
          const answered = await fetch(request);
          if (isLost) throw new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } });
          return answered;
        },
        async pause(ms) {
          pauses.push(ms);
          if (pauses.length === 6) isLost = false;
        },
      },
    );
    await ready();
    isLost = true;
    await create('Missed by nobody');
    await eventually(() => out.length === 3);
    await stop();
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(errors).toEqual([
      expect.stringMatching(/^no connection, trying again: http:\S+ (broke the connection|does not respond)/),
      'connected: no event was missed',
    ]);
    expect(out).toHaveLength(3);
  });

  it('shows what the receiver answers, and goes on', async () => {
    receiver.behaveEach((_, n) => answer(n === 0 ? 500 : 200));
    const { out, stop, ready } = start();
    await ready();
    await create('One');
    await eventually(() => receiver.requests.length === 1);
    await create('Two');
    await eventually(() => out.length === 4);
    await stop();
    expect(out.slice(2).map((line) => / (\d+) in/.exec(line)?.[1])).toEqual(['500', '200']);
    const away = start({ forwardTo: `http://127.0.0.1:${await freePort()}/`, replay: 1 });
    await eventually(() => away.out.length === 3);
    await away.stop();
    expect(away.out[2]).toMatch(/^\d+ decision\.created: not received: ECONNREFUSED$/);
  });

  it.each([
    ['a key that the server refuses', ['--forward-to', 'http://localhost:3000/'], /credentials|key/i],
    ['a target that is no URL', ['--forward-to', 'localhost'], /--forward-to is not a URL/],
    [
      'a replay that is no number',
      ['--forward-to', 'http://localhost:3000/', '--replay', 'x'],
      /whole number/,
    ],
  ])('ends with one line for %s', async (_, args, line) => {
    const apiKey = mintApiKey();
    const env = { WAYMARK_URL: product.url, WAYMARK_API_KEY: apiKey };
    const { code, errors } = await run(env, 'listen', ...args);
    expect(code).not.toBe(0);
    expect(errors).toEqual([expect.stringMatching(line)]);
    expect(errors[0]).not.toContain(apiKey);
  });
});

describe('waymark trigger', () => {
  const trigger = (env: Record<string, string>, ...args: string[]) =>
    run(env, 'trigger', 'decision.created', '--forward-to', receiver.url, ...args);

  it('sends a signed example of an event without a server, and fails if the receiver refuses it', async () => {
    const fresh = await trigger({});
    const secret = /^signing secret of this request: (whsec_\S+)$/.exec(fresh.out[0]!)![1]!;
    const known = await trigger({ WEBHOOK_SECRET: secret });
    expect(known).toMatchObject({ code: 0, errors: [] });
    expect(known.out).toEqual([expect.stringMatching(/^decision\.created: 200 in \d+ ms$/)]);
    for (const { rawBody, headers } of receiver.requests) {
      const { event, payload } = verifyWebhook(rawBody, headers as Record<string, string>, secret);
      expect([event, payload]).toMatchObject(['decision.created', { test: true, data: expect.anything() }]);
    }
    receiver.behave(answer(500));
    const refused = await trigger({ WEBHOOK_SECRET: secret });
    expect(refused).toMatchObject({ code: 1, out: [], errors: [expect.stringMatching(/: 500 in/)] });
    expect(receiver.requests).toHaveLength(3);
  });

  it.each([
    [['nothing.happened', '--forward-to', 'http://localhost/'], {}, /no event of the type nothing\.happened/],
    [['decision.created', '--forward-to', 'localhost'], {}, /not a URL/],
    [['decision.created', '--forward-to', 'http://localhost/'], { WEBHOOK_SECRET: 'x' }, /WEBHOOK_SECRET/],
  ])('refuses %p', async (args, env, message) => {
    const { code, errors } = await run(env, 'trigger', ...args);
    expect([code, errors]).toEqual([2, [expect.stringMatching(message)]]);
  });
});
