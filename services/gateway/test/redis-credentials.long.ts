import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { acquireBinary, localCertificate, type StoreProcess, startRedis } from '@waymark/local-stack';
import { createLogger } from '@waymark/service-kit/process';
import { eventually, testFolder } from '@waymark/testing';
import { createClient } from 'redis';
import { openRedis, type Redis } from '../src/limits/redis.ts';
import { redisSentinelsOf, redisServersOf } from '../src/limits/redis-servers.ts';
import { startRedisCluster } from './start-redis-cluster.ts';
import { MASTER, startSentinel } from './start-redis-sentinels.ts';

const PASSWORD = '1@:/,%ö';
const encoded = encodeURIComponent(PASSWORD);
const setUser = (name: string) => ['ACL', 'SETUSER', name, 'on', `>${PASSWORD}`, '~*', '&*', '+@all'];
/** Enough keys that each of three nodes has some. */
const KEYS = 40;

const known = tls.getCACertificates();
const closing: (() => unknown)[] = [];
const directory = testFolder();
const binary = await acquireBinary('redis', () => undefined);
const single = await startRedis({ binary, dataDir: join(directory, 'single') });
const cluster = await startRedisCluster({ dataDir: join(directory, 'cluster') });
await letIn(single, ...cluster.masters);
// Has the effect of NODE_EXTRA_CA_CERTS, which Node reads only when a process starts.
tls.setDefaultCACertificates([...known, localCertificate['127.0.0.1']]);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  tls.setDefaultCACertificates(known);
  await single.kill();
  await cluster.stop();
});

/** Sends commands one after another, and returns their answers as JSON. */
async function administer(url: string, ...commands: string[][]): Promise<string> {
  const client = createClient({ url });
  await client.connect();
  try {
    const answers: unknown[] = [];
    for (const command of commands) answers.push(await client.sendCommand(command));
    return JSON.stringify(answers);
  } finally {
    client.destroy();
  }
}

const urlOf = ({ port }: { port: number }, user = 'alice', scheme = 'redis') =>
  `${scheme}://${user}:${encoded}@127.0.0.1:${port}`;

/** Makes the servers require a user, or the password of the default user. */
async function letIn(...servers: StoreProcess[]): Promise<void> {
  const defaultUser = ['ACL', 'SETUSER', 'default', 'resetpass', `>${PASSWORD}`];
  for (const { url } of servers) await administer(url, setUser('alice'), defaultUser);
}

/** Starts a TLS proxy in front of a server without TLS, and returns its port. */
async function encrypt(port: number): Promise<number> {
  const server = tls.createServer(
    { key: localCertificate.key, cert: localCertificate['127.0.0.1'] },
    (client) => {
      const store = net.connect(port, '127.0.0.1');
      for (const [one, other] of [
        [client, store],
        [store, client],
      ] as const) {
        one.on('error', () => undefined).on('close', () => other.destroy());
        one.pipe(other);
      }
      closing.push(() => client.destroy());
    },
  );
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return (server.address() as net.AddressInfo).port;
}

function open(url: string, isCluster = false, sentinelUrl?: string): { redis: Redis; causes: unknown[] } {
  const log = createLogger('test', 'silent');
  const sentinels = sentinelUrl === undefined ? undefined : redisSentinelsOf(sentinelUrl);
  const redis = openRedis({ servers: redisServersOf(url), sentinels, cluster: isCluster, log });
  const causes: unknown[] = [];
  redis.onLost((cause) => causes.push(cause));
  closing.push(() => redis.close());
  return { redis, causes };
}

/** Expects correct counts under keys that are spread over all nodes. */
async function expectCounts(...servers: Parameters<typeof open>): Promise<void> {
  const { redis, causes } = open(...servers);
  await redis.connected(10_000);
  const prefix = `${Math.random()}`;
  for (let i = 0; i < KEYS; i += 1) {
    const key = `{${prefix}${i}}`;
    await eventually(() => redis.consume([`${key}:ready`], 60_000, [1_000]));
    const [refusing, , count] = await redis.consume([key], 60_000, [10]);
    expect([refusing, count]).toEqual([0, 1]);
  }
  expect(causes).toEqual([]);
}

describe('the gateway counts with Redis', () => {
  it('as a user, or with a password alone', async () => {
    await expectCounts(urlOf(single));
    await expectCounts(urlOf(single, ''));
  });

  it('over TLS', async () => {
    const port = await encrypt(single.port);
    await expectCounts(urlOf({ port }, 'alice', 'rediss'));
    await expectCounts(`${urlOf({ port }, '', 'rediss')}/1`);
  });

  it('as soon as Redis accepts a user that it refused before', async () => {
    const { redis, causes } = open(urlOf(single, 'bob'));
    await eventually(() => expect(String(causes.at(-1))).toContain('WRONGPASS'));
    await expect(redis.consume(['{a}'], 60_000, [10])).rejects.toThrow();
    await administer(urlOf(single), setUser('bob'));
    await eventually(async () =>
      expect((await redis.consume(['{b}'], 60_000, [1_000]))[2]).toBeGreaterThan(0),
    );
  });
});

describe('the gateway counts with the master that a sentinel names', () => {
  it('with a password and TLS of each', async () => {
    const masterPort = await encrypt(single.port);
    const sentinelPassword = 'of-the-sentinel';
    const dataDir = join(directory, 'sentinel');
    const sentinel = await startSentinel({ dataDir, masterPort, password: PASSWORD, sentinelPassword });
    closing.push(() => sentinel.process.kill());
    const url = `rediss://alice:${encoded}@${MASTER}`;
    const sentinelUrl = `rediss://:${sentinelPassword}@127.0.0.1:${await encrypt(sentinel.port)}`;
    await expectCounts(url, false, `rediss://127.0.0.1:1,${sentinelUrl}`);
    const { redis } = open(url, false, sentinelUrl.replace(sentinelPassword, 'wrong'));
    await redis.connected(1_000);
    await expect(redis.consume(['{a}'], 60_000, [10])).rejects.toThrow();
  });
});

describe('the gateway counts with a Redis Cluster', () => {
  const urlsOf = (nodes: readonly { port: number }[], ...access: string[]) =>
    nodes.map((node) => urlOf(node, ...access)).join(',');

  it('as a user, or with a password alone', async () => {
    await expectCounts(urlsOf(cluster.masters), true);
    await expectCounts(urlsOf(cluster.masters, ''), true);
    await expectCounts(urlOf(cluster.masters[0]!), true);
  });

  it('over TLS', async () => {
    const encrypted: { port: number }[] = [];
    const hidden = await startRedisCluster({
      dataDir: join(directory, 'hidden'),
      async announce(port) {
        encrypted.push({ port: await encrypt(port) });
        return encrypted.at(-1)!.port;
      },
    });
    closing.push(() => hidden.stop());
    await letIn(...hidden.masters);
    await expectCounts(urlsOf(encrypted, 'alice', 'rediss'), true);
  });
});
