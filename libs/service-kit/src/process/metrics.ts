import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The events in an outbox that are not published yet. */
export interface Backlog {
  pending: number;
  oldestSeconds: number;
}

/** The size of the event stream and its limit; `maxBytes` is absent without a limit. */
export interface StreamSize {
  bytes: number;
  maxBytes?: number;
}

/**
 * Interval between samples of the event loop delay. Each sample wakes the process, and the measured delay
 * includes the interval.
 */
const LAG_SAMPLE_MS = 100;

/**
 * Creates the metrics that every process has, in their own registry: in tests, several services share a
 * process.
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
    help: '1, labelled with the running version',
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
    help: 'Events committed but not published, up to 10000; absent while MongoDB is down',
    registers,
    async collect() {
      setOrRemove(this, (await readBacklog().catch(() => null))?.pending);
    },
  });
  new Gauge({
    name: 'waymark_outbox_oldest_pending_seconds',
    help: 'Age of the oldest event that is committed but not published; 0 without one, absent while MongoDB is down',
    registers,
    async collect() {
      setOrRemove(this, (await readBacklog().catch(() => null))?.oldestSeconds);
    },
  });
  new Gauge({
    name: 'waymark_stream_bytes',
    help: 'Size of the event stream in bytes; absent while NATS is down',
    registers,
    async collect() {
      setOrRemove(this, (await readStream().catch(() => null))?.bytes);
    },
  });
  new Gauge({
    name: 'waymark_stream_max_bytes',
    help: 'Size limit of the event stream in bytes; absent without a limit and while NATS is down',
    registers,
    async collect() {
      setOrRemove(this, (await readStream().catch(() => null))?.maxBytes);
    },
  });
  new Gauge({
    name: 'waymark_consumer_lag',
    help: 'Events that a consumer has not finished: in the stream, or delivered and not acknowledged; absent while NATS is down',
    labelNames: ['consumer'],
    registers,
    collect() {
      return readEach(this, lags);
    },
  });
  new Gauge({
    name: 'waymark_events_parked',
    help: 'Events that a consumer could not handle and that wait for an operator; absent while NATS is down',
    labelNames: ['consumer'],
    registers,
    collect() {
      return readEach(this, parked);
    },
  });
  return {
    registry,
    /** Reads the lag of a consumer at each scrape; a failed read omits the metric. */
    watchConsumerLag(consumer: string, read: () => Promise<number>) {
      lags.set(consumer, read);
    },
    /** Reads the number of parked events of a consumer at each scrape; a failed read omits the metric. */
    watchParked(consumer: string, read: () => Promise<number>) {
      parked.set(consumer, read);
    },
    /** Reads the state of a store at each scrape. */
    watchStore(store: string, isUp: () => boolean) {
      stores.set(store, isUp);
    },
    /** Reads the backlog of the outbox at each scrape. */
    watchOutbox(read: () => Promise<Backlog | null>) {
      readBacklog = read;
    },
    /** Reads the size of the stream at each scrape. */
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
      help: 'Events that a consumer received, by result',
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
