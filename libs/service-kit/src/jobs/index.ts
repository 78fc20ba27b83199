export { type Batcher, type BatcherOptions, createBatcher } from './batcher.ts';
export { type ConcurrencyLimiter, concurrencyLimiter } from './concurrency-limiter.ts';
export { type FairShare, fairShare, inProportion, type SharePolicy, upTo } from './fair-share.ts';
export { type KeyedQueue, keyedQueue } from './keyed-queue.ts';
export { type PeriodicTask, periodicTask } from './periodic-task.ts';
export { waitAtMost } from './wait-at-most.ts';
