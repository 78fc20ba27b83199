export { freePort } from './free-port.ts';
export { type ManagedProcess, PortTaken, type ProcessOptions, startProcess } from './managed-process.ts';
export { findRepositoryRoot } from './repository-root.ts';
export { type MongoOptions, startMongo } from './start-mongo.ts';
export { startNats } from './start-nats.ts';
export { startRedis } from './start-redis.ts';
export { type Stores, type StoresOptions, startStores } from './start-stores.ts';
export type { StoreOptions, StoreProcess } from './store-process.ts';
export { type ProcessExit, ProcessFailed } from './until-ready.ts';
