import { join } from 'node:path';
import { BASE_PATH } from '@waymark/contracts';
import {
  acquireBinary,
  type StoreProcess,
  type Stores,
  startMongo,
  startNats,
  startRedis,
} from '@waymark/local-stack';
import { startWebhookReceiver, type WebhookReceiver } from '@waymark/testing';
import { type ProductProcesses, startProductProcesses } from '../../crash/support/product-processes.ts';
import { type Clocks, createClocks } from './clocks.ts';
import { createDisk, type Disk } from './disk.ts';
import { type StoreSupervisor, superviseStores } from './store-supervisor.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export const storeNames = ['mongo', 'redis', 'nats'] as const;
export type StoreName = (typeof storeNames)[number];
export const serviceNames = ['accounts', 'decisions', 'audit', 'search', 'webhooks', 'gateway'] as const;
export type ProcessName = StoreName | (typeof serviceNames)[number];

/** The product in real processes, each with a proxy before it and its own clock; the stores share a disk. */
export interface FaultyProduct extends Omit<ProductProcesses, 'stores'> {
  stores: Record<StoreName, StoreProcess>;
  supervisor: StoreSupervisor;
  proxies: Record<ProcessName, TcpProxy>;
  /** The API through the gateway's proxy. */
  proxiedUrl: string;
  receiver: WebhookReceiver;
  /** Why this machine cannot cause some faults: what they need, and what prevents it. */
  lacking: Map<Need, string>;
  clocks: Clocks | null;
  disk: Disk | null;
}

export type Need = 'clocks' | 'disk';

const starters = { mongo: startMongo, redis: startRedis, nats: startNats };
const directUrl = (name: StoreName, port: number) =>
  ({
    // Through the address of the replica set, clients would go around the proxy.
    mongo: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    redis: `redis://127.0.0.1:${port}`,
    nats: `nats://127.0.0.1:${port}`,
  })[name];

export async function startFaultyProduct(): Promise<FaultyProduct> {
  const lacking: FaultyProduct['lacking'] = new Map();
  const unless = (need: Need) => (error: Error) => {
    lacking.set(need, error.message);
    return null;
  };
  let disk: Disk | null = null;
  let clocks: Clocks | null = null;
  let supervisor: StoreSupervisor | undefined;
  const stores = {} as FaultyProduct['stores'];
  const proxies = {} as FaultyProduct['proxies'];

  async function startStores({ dataDir }: { dataDir: string }): Promise<Stores> {
    disk = await createDisk(dataDir).catch(unless('disk'));
    clocks = await createClocks(`${dataDir}-clocks`).catch(unless('clocks'));
    for (const name of storeNames) {
      await clocks?.set(name, 0);
      const binary = await acquireBinary(name, (line) => process.stderr.write(`${line}\n`));
      const env = clocks?.env(name) ?? {};
      stores[name] = await starters[name]({ binary, dataDir: join(dataDir, name), env });
      proxies[name] = await startTcpProxy(stores[name].port);
    }
    disk?.sync();
    supervisor = superviseStores(Object.values(stores));
    const { mongo, redis, nats } = stores;
    return {
      ...stores,
      mongoUrl: mongo.url,
      redisUrl: redis.url,
      natsUrl: nats.url,
      async stop() {
        supervisor?.stop();
        await Promise.all(Object.values(stores).map((store) => store.stop()));
        await disk?.remove();
      },
    };
  }

  const receiver = await startWebhookReceiver();
  const product = await startProductProcesses({
    only: serviceNames.filter((name) => name !== 'gateway'),
    startStores,
    // A lease lasts twice the timeout plus ten seconds.
    env: { WEBHOOK_TIMEOUT_MS: '1000', WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,2,2', WEBHOOK_MAX_ATTEMPTS: '20' },
  });
  const { processes } = product.services;
  for (const { service, url } of processes)
    proxies[service as ProcessName] = await startTcpProxy(Number(new URL(url).port));
  const proxied = {
    MONGODB_URL: directUrl('mongo', proxies.mongo.port),
    REDIS_URL: directUrl('redis', proxies.redis.port),
    NATS_URL: directUrl('nats', proxies.nats.port),
    ...Object.fromEntries(
      serviceNames.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${proxies[name].port}`]),
    ),
  };
  await Promise.all(
    processes.map(async ({ service, process: running }) => {
      await clocks?.set(service, 0);
      await running.restart({ ...proxied, ...clocks?.env(service) });
    }),
  );
  return {
    ...product,
    stores,
    supervisor: supervisor!,
    proxies,
    proxiedUrl: `http://127.0.0.1:${proxies.gateway.port}${BASE_PATH}`,
    receiver,
    lacking,
    clocks,
    disk,
    async stop() {
      await product.stop();
      await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
      await receiver.stop();
    },
  };
}
