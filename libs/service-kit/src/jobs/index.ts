export { type KeyedQueue, keyedQueue } from './keyed-queue.ts';
export { waitAtMost } from './wait-at-most.ts';
