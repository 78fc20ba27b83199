export { eventBatches } from './event-batches.ts';
export type { ConsumerOptions } from './event-consumer.ts';
export { followEvents } from './event-follower.ts';
export {
  consumerProgress,
  ensureEventStream,
  latestPosition,
  readStreamAgain,
  type StreamPosition,
} from './event-stream.ts';
export { followSubject } from './follow-subject.ts';
export { type FreshCache, freshCache, type Loaded } from './fresh-cache.ts';
export type { Invalidations, Tags } from './invalidations.ts';
export { type LatestValue, latestValues } from './latest-values.ts';
export type { Nats } from './nats.ts';
export { type EventsObservation, observeEvents } from './observe-events.ts';
export { openParkedEvents, type ParkedEvent, type ParkedEvents } from './parked-events.ts';
export { readEvent } from './read-event.ts';
