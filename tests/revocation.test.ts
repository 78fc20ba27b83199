import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { hashSecret } from '@waymark/contracts';
import { startGateway } from '@waymark/gateway';
import { httpCall, watchEvents } from '@waymark/testing';
import { startProduct } from './product.ts';

const REVOCATIONS = 100;
const CONNECTIONS = 64;
const DEADLINE_MS = 250;
const POLL_MS = 10;
/** Of each connection between two requests: traffic, not a load test of the machine that the deadline runs on. */
const PAUSE_MS = 30;
/** By which a slow look-up outlives the key that it is about. */
const SLOW_MS = 60;

/** The way to accounts, on which a test keeps back the answers of look-ups of one key. */
async function startSlowWay(accountsUrl: string) {
  const agent = new http.Agent({ keepAlive: true });
  let slowHash: string | null = null;
  let kept: (() => void)[] = [];

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, headers } = request;
    const onward = http.request(accountsUrl + request.url, { method, headers, agent }, async (answer) => {
      const told = Buffer.concat(await answer.toArray());
      const send = () => response.writeHead(answer.statusCode ?? 502, answer.headers).end(told);
      if (slowHash !== null && body.includes(slowHash)) kept.push(send);
      else send();
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    /** Keeps back what accounts answers about this key. */
    keepBack(key: string) {
      slowHash = hashSecret(key);
    },
    kept: () => kept.length,
    letGo() {
      slowHash = null;
      for (const send of kept) send();
      kept = [];
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a revoked key', () => {
  it(`is refused by two gateways within ${DEADLINE_MS} ms of the answer, ${REVOCATIONS} times under traffic with slow look-ups`, async () => {
    const product = await startProduct();
    const ways = await Promise.all([1, 2].map(() => startSlowWay(product.env['ACCOUNTS_URL']!)));
    const gateways = await Promise.all(
      ways.map(({ url }) => startGateway({ ...product.env, ACCOUNTS_URL: url, PORT: '0', ADMIN_PORT: '0' })),
    );
    const urls = gateways.map(({ url }) => url);
    const { nats, stop: stopWatching } = await watchEvents(product.env);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 3 * CONNECTIONS });
    const owner = await product.workspace();
    const whoami = async (base: string, key: string) =>
      (await httpCall(base, 'GET', '/v1/whoami', { agent, headers: { authorization: `Bearer ${key}` } }))
        .status;
    const newKey = async (name: string) => {
      const body = { workspaceId: owner.workspaceId, name, scopes: ['read'] };
      return (await product.call('POST', '/api-keys', { cookie: owner.cookie, body })).body;
    };

    let current = owner.key;
    let traffic = true;
    const load = Array.from({ length: CONNECTIONS }, async (_, i) => {
      // The key that dies is in use all the while.
      while (traffic) {
        await whoami(urls[i % 2]!, i % 4 < 2 ? current : owner.key);
        await pause(PAUSE_MS);
      }
    });

    /** Asks until the key is refused; gives when it was last asked about and still good. */
    async function lastGood(url: string, key: string): Promise<number> {
      for (let goodAt = Number.NEGATIVE_INFINITY; ; ) {
        const askedAt = performance.now();
        const status = await whoami(url, key);
        if (status === 401) return goodAt;
        if (status === 200) goodAt = askedAt;
        await pause(POLL_MS);
      }
    }

    async function revoke(i: number): Promise<void> {
      const { id, key } = await newKey(`doomed ${i}`);
      // In turn it is known to both gateways when it dies, and being looked up by both for the first time.
      const isKnown = i % 2 === 0;
      if (isKnown) for (const url of urls) expect(await whoami(url, key)).toBe(200);
      const slow = isKnown ? (await newKey(`slow ${i}`)).key : key;
      for (const way of ways) way.keepBack(slow);
      const slowAnswers = urls.map((url) => whoami(url, slow));
      while (ways.some((way) => way.kept() === 0)) await pause(1);
      current = key;

      const revoked = await product.call('DELETE', `/api-keys/${id}`, { cookie: owner.cookie });
      expect(revoked.status).toBe(204);
      // From here on NATS, which may wait for the machine as much as anyone, has passed the announcement on.
      const announced = nats.flush().then(() => performance.now());
      const released = pause(SLOW_MS).then(() => {
        for (const way of ways) way.letGo();
      });
      const goodAt = await Promise.all(urls.map((url) => lastGood(url, key)));
      const announcedAt = await announced;
      for (const at of goodAt) expect(at - announcedAt).toBeLessThan(DEADLINE_MS);
      await released;
      // A machine that stood still may have made a look-up too slow for its gateway: then nobody was let in either.
      for (const status of await Promise.all(slowAnswers))
        expect([isKnown ? 200 : 401, 503]).toContain(status);
    }

    try {
      for (let i = 0; i < REVOCATIONS; i += 1) await revoke(i);
    } finally {
      traffic = false;
      for (const way of ways) way.letGo();
      await Promise.allSettled(load);
      agent.destroy();
      await stopWatching();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await Promise.all(ways.map((way) => way.stop()));
      await product.stop();
    }
  }, 180_000);
});
