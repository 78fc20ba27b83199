import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** What an outbox has yet to publish. */
export interface Backlog {
  pending: number;
  oldestSeconds: number;
}

/** How much of the event stream's bound is taken; `maxBytes` is absent where it has none. */
export interface StreamSize {
  bytes: number;
  maxBytes?: number;
}

/** Each sample wakes the process; what is measured includes it. */
const LAG_SAMPLE_MS = 100;

/**
 * The metrics that every process has, in a registry of its own: several services may share a process in
 * tests.
 */
export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  const registers = [registry];
  const lags = new Map<string, () => Promise<number>>();
  const parked = new Map<string, () => Promise<number>>();
  const stores = new Map<string, () => boolean>();
  let readBacklog: () => Promise<Backlog | null> = async () => null;
  let readStream: () => Promise<StreamSize | null> = async () => null;
  new Gauge({
    name: 'waymark_build_info',
    help: '1, with the version that runs',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  new Gauge({
    name: 'waymark_store_up',
    help: '1 while this process reaches a store, by store',
    labelNames: ['store'],
    registers,
    collect() {
      for (const [store, isUp] of stores) this.set({ store }, isUp() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'waymark_outbox_pending',
    help: 'Events committed and not published, up to 10000; absent while MongoDB is',
    registers,
    async collect() {
      setOrRemove(this, (await readBacklog().catch(() => null))?.pending);
    },
  });
  new Gauge({
    name: 'waymark_outbox_oldest_pending_seconds',
    help: 'Age of the oldest event that is committed and not published; 0 without one, absent while MongoDB is',
    registers,
    async collect() {
      setOrRemove(this, (await readBacklog().catch(() => null))?.oldestSeconds);
    },
  });
  new Gauge({
    name: 'waymark_stream_bytes',
    help: 'What the stream of events takes; absent while NATS is',
    registers,
    async collect() {
      setOrRemove(this, (await readStream().catch(() => null))?.bytes);
    },
  });
  new Gauge({
    name: 'waymark_stream_max_bytes',
    help: 'What the stream of events may take; absent while NATS is, and without a bound',
    registers,
    async collect() {
      setOrRemove(this, (await readStream().catch(() => null))?.maxBytes);
    },
  });
  new Gauge({
    name: 'waymark_consumer_lag',
    help: 'Events that a consumer has yet to finish: in the stream, or taken and not acknowledged; absent while NATS is',
    labelNames: ['consumer'],
    registers,
    collect() {
      return readEach(this, lags);
    },
  });
  new Gauge({
    name: 'waymark_events_parked',
    help: 'Events that a consumer could not handle and that wait for an operator; absent while NATS is',
    labelNames: ['consumer'],
    registers,
    collect() {
      return readEach(this, parked);
    },
  });
  return {
    registry,
    /** Has a consumer's lag read whenever the metrics are; what fails leaves it out. */
    watchConsumerLag(consumer: string, read: () => Promise<number>) {
      lags.set(consumer, read);
    },
    /**
     * Has the number of a consumer's parked events read whenever the metrics are; what fails leaves it out.
     */
    watchParked(consumer: string, read: () => Promise<number>) {
      parked.set(consumer, read);
    },
    /** Has a store's state told whenever the metrics are read. */
    watchStore(store: string, isUp: () => boolean) {
      stores.set(store, isUp);
    },
    /** Has the outbox looked at whenever the metrics are read. */
    watchOutbox(read: () => Promise<Backlog | null>) {
      readBacklog = read;
    },
    /** Has the stream's size asked for whenever the metrics are read. */
    watchStream(read: () => Promise<StreamSize | null>) {
      readStream = read;
    },
    requestSeconds: new Histogram({
      name: 'waymark_request_duration_seconds',
      help: 'Time from a request’s headers to the end of its answer',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    outboxPublished: new Counter({
      name: 'waymark_outbox_published_total',
      help: 'Events published from the outbox',
      labelNames: ['path'],
      registers,
    }),
    eventsHandled: new Counter({
      name: 'waymark_events_handled_total',
      help: 'Events that a consumer took, by result',
      labelNames: ['consumer', 'result'],
      registers,
    }),
  };
}

async function readEach(gauge: Gauge<'consumer'>, reads: Map<string, () => Promise<number>>): Promise<void> {
  for (const [consumer, read] of reads) {
    await read().then(
      (value) => gauge.set({ consumer }, value),
      () => gauge.remove({ consumer }),
    );
  }
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
