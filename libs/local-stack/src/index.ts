export { acquireBinary } from './acquire/acquire-binary.ts';
export { acquireGo } from './acquire/acquire-go.ts';
export { storeBinaries } from './acquire/binaries.ts';
export {
  acquireHadolint,
  acquireHelm,
  acquireKubernetesValidate,
  type ToolOptions,
} from './acquire/tools.ts';
export { localCertificate } from './local-certificate.ts';
export { freePort } from './process/free-port.ts';
export { isRunning } from './process/is-running.ts';
export {
  type ManagedProcess,
  PortTaken,
  type ProcessOptions,
  startProcess,
} from './process/managed-process.ts';
export { type ProcessExit, ProcessFailed } from './process/until-ready.ts';
export { findRepositoryRoot } from './repository-root.ts';
export { type MongoOptions, startMongo } from './stores/start-mongo.ts';
export { type MongoReplicaSet, startMongoReplicaSet } from './stores/start-mongo-replica-set.ts';
export { startNats } from './stores/start-nats.ts';
export { type NatsCluster, startNatsCluster } from './stores/start-nats-cluster.ts';
export { startRedis } from './stores/start-redis.ts';
export { type RedisCluster, startRedisCluster } from './stores/start-redis-cluster.ts';
export { type Stores, type StoresOptions, startStores } from './stores/start-stores.ts';
export type { StoreOptions, StoreProcess } from './stores/store-process.ts';
