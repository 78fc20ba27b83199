export * from './admission.ts';
export { createBatcher } from './batcher.ts';
export { boundedCache } from './bounded-cache.ts';
export { keyedQueue } from './keyed-queue.ts';
export { type PeriodicTask, periodicTask } from './periodic-task.ts';
export { sharedRuns } from './shared-runs.ts';
export { startThread } from './start-thread.ts';
export { waitAtMost } from './wait-at-most.ts';
export { answerTask, type WorkerThread, workerThread } from './worker-thread.ts';
