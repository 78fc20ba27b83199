import { join } from 'node:path';
import { BASE_PATH, services, storingServices } from '@waymark/contracts';
import type { StoreProcess, Stores } from '@waymark/local-stack';
import { limitKeys } from '../../services/gateway/src/limits/rate-limit.ts';
import { type RedisCluster, startRedisCluster } from '../../services/gateway/test/start-redis-cluster.ts';
import { type ProductProcesses, startProductProcesses } from '../crash/support/product-processes.ts';
import { type MongoReplicaSet, startMongoReplicaSet } from './start-mongo-replica-set.ts';
import { type NatsCluster, startNatsCluster } from './start-nats-cluster.ts';

/** The product on clusters of its stores: three gateways and two of each service. */
export interface ClusteredProduct {
  product: ProductProcesses;
  mongo: MongoReplicaSet;
  nats: NatsCluster;
  redis: RedisCluster;
  /** The base URL of every gateway. */
  baseUrls: string[];
  /** Returns the master of Redis that counts a workspace's requests: the others delay no writer. */
  counterOf(workspaceId: string): Promise<StoreProcess>;
}

const replicas = {
  ...Object.fromEntries(Object.keys(services).map((name) => [name, 2])),
  gateway: 3,
};

export async function startClusteredProduct(): Promise<ClusteredProduct> {
  const clusters: Partial<Pick<ClusteredProduct, 'mongo' | 'nats' | 'redis'>> = {};
  async function startStores({ dataDir }: { dataDir: string }): Promise<Stores> {
    const stop = async () => {
      await Promise.all([clusters.mongo?.stop(), clusters.nats?.stop(), clusters.redis?.stop()]);
    };
    try {
      clusters.mongo = await startMongoReplicaSet({ dataDir: join(dataDir, 'mongo') });
      clusters.nats = await startNatsCluster({ dataDir: join(dataDir, 'nats') });
      clusters.redis = await startRedisCluster({ dataDir: join(dataDir, 'redis'), withReplicas: true });
    } catch (error) {
      await stop();
      throw error;
    }
    const { mongo, nats, redis } = clusters;
    const urls = { mongoUrl: mongo.url, natsUrl: nats.url, redisUrl: redis.url };
    return { ...urls, mongo: undefined, nats: undefined, redis: undefined, stop };
  }
  const product = await startProductProcesses({
    startStores,
    only: storingServices,
    replicas,
    env: { REDIS_CLUSTER: 'true', NATS_REPLICAS: '3' },
  });
  const { mongo, nats, redis } = clusters as Required<typeof clusters>;
  const gateways = product.services.processes.filter(({ service }) => service === 'gateway');
  const baseUrls = gateways.map(({ url }) => url + BASE_PATH);
  const counterOf = (workspaceId: string) =>
    redis.masterOf(limitKeys('waymark').workspace(workspaceId, 'mutation'));
  return { product, mongo, nats, redis, baseUrls, counterOf };
}
