import { services } from '@waymark/contracts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;
export type { Counter };

/** Reads the value of a gauge; undefined or a rejection omits it. */
type Read = () => Value | Promise<Value>;
type Value = number | boolean | undefined;

/** Each sample of the event loop delay wakes the process, and the measured delay includes this interval. */
const LAG_SAMPLE_MS = 500;

/** The metrics of Node, which the services of a process share: their timers never end. */
const ofNode = new Registry();

function registerMetricsOfNode(registry: Registry): void {
  if (ofNode.getMetricsAsArray().length === 0)
    collectDefaultMetrics({ register: ofNode, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  for (const { name } of ofNode.getMetricsAsArray()) registry.registerMetric(ofNode.getSingleMetric(name)!);
}

/** Returns the seconds since a time: 0 without one, and for one from a clock that is ahead. */
export const secondsSince = (time: string | null, nowMs: number): number =>
  time === null ? 0 : Math.max(0, nowMs - Date.parse(time)) / 1_000;

/** Returns the functions that add metrics to a registry. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram({ name, help, buckets, labelNames, registers });

  /** Returns a function that adds a value, read at each scrape, to a gauge with at most one label. */
  function watched(name: string, help: string, labelName?: string) {
    const reads = new Map<string, Read>();
    const labelNames = labelName === undefined ? [] : [labelName];
    const added = new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const updates = [...reads].map(async ([label, read]) => {
          const labels = labelName === undefined ? {} : { [labelName]: label };
          const value = await Promise.try<Value, []>(read).catch(() => undefined);
          if (value === undefined) this.remove(labels);
          else this.set(labels, Number(value));
        });
        await Promise.all(updates);
      },
    });
    // Without a label, the library begins with a sample of zero.
    added.remove({});
    return (read: Read, label = '') => {
      reads.set(label, read);
    };
  }

  /** Adds a gauge whose values by label are read together at each scrape; a rejection omits them. */
  function watchAll(
    name: string,
    help: string,
    labelName: string,
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [labelName],
      registers,
      async collect() {
        const values = await read().catch(() => ({}));
        this.reset();
        for (const [label, value] of Object.entries(values)) this.set({ [labelName]: label }, value);
      },
    });
  }

  return { counter, gauge, histogram, watched, watchAll };
}

/** Creates the metrics of a process in their own registry: in tests, several services share a process. */
export function createMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  registerMetricsOfNode(registry);
  const add = metricsIn(registry);
  const { counter, gauge, histogram, watched } = add;
  gauge('waymark_build_info', '1, labelled with the running version', 'version').set({ version }, 1);

  const watchAdmission = watched(
    'waymark_admission_held',
    'How much of a bounded resource is taken, such as live event streams or requests to a service',
    'resource',
  );
  const admissionRefused = counter(
    'waymark_admission_refused_total',
    'Requests refused, and connections closed, because a bounded resource is full, or because their caller has its share of it',
    'resource',
    'reason',
  );

  const identityRefused = counter(
    'waymark_identity_refused_total',
    'Requests refused because the identity of the calling service is not valid, by the caller that it names',
    'caller',
  );
  for (const caller of [...Object.keys(services), 'unknown']) identityRefused.inc({ caller }, 0);

  return {
    ...add,
    registry,
    identityRefused,
    /** Returns the options of `createAdmission` that report a resource. */
    admission(resource: string) {
      for (const reason of ['full', 'share']) admissionRefused.inc({ resource, reason }, 0);
      return {
        onRefused: (reason: 'full' | 'share') => admissionRefused.inc({ resource, reason }),
        onHeld: (held: () => number) => watchAdmission(held, resource),
      };
    },
    watchStore: watched('waymark_store_up', '1 while this process reaches a store, by store', 'store'),
    watchCertificateExpiry: watched(
      'waymark_certificate_expiry_timestamp_seconds',
      'When the certificate that this process serves expires; absent without TLS',
    ),
    watchClockSkew: watched(
      'waymark_clock_skew_seconds',
      'How far the clock of this process is ahead of that of MongoDB or a service, at least; negative when behind',
      'against',
    ),
    watchOutboxPending: watched(
      'waymark_outbox_pending',
      'Events committed but not published, up to 10000; absent while MongoDB is down',
    ),
    watchOutboxOldest: watched(
      'waymark_outbox_oldest_pending_seconds',
      'How long events have waited that are committed but not published, as this process has seen; 0 without one, absent while MongoDB is down',
    ),
    watchStreamBytes: watched(
      'waymark_stream_bytes',
      'Size of the event stream in bytes; absent while NATS is down',
    ),
    watchStreamMaxBytes: watched(
      'waymark_stream_max_bytes',
      'Size limit of the event stream in bytes; absent without a limit and while NATS is down',
    ),
    watchConsumerLag: watched(
      'waymark_consumer_lag',
      'Events that a consumer has not finished: in the stream, or delivered and not acknowledged; absent while NATS is down',
      'consumer',
    ),
    watchParked: watched(
      'waymark_events_parked',
      'Events that a consumer could not handle and that wait for an operator; absent while NATS is down',
      'consumer',
    ),
    watchDatabaseOlder: watched(
      'waymark_database_older',
      '1 while the database of a consumer is older than the event stream, because it was set back; absent until both were compared',
      'consumer',
    ),
    watchMailOldest: watched(
      'waymark_mail_oldest_waiting_seconds',
      'How long the oldest unsent mail, or notification to mail, has waited, the same on every replica; 0 without one, absent where no mail is sent and while MongoDB is down',
    ),
    requestSeconds: histogram(
      'waymark_request_duration_seconds',
      'Time from a request’s headers to the end of its answer',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      'operation',
      'status',
    ),
    outboxPublished: counter('waymark_outbox_published_total', 'Events published from the outbox', 'path'),
    outboxPublishFailed: counter(
      'waymark_outbox_publish_failed_total',
      'Attempts to publish an event that NATS did not acknowledge, while it was connected',
    ),
    eventsHandled: counter(
      'waymark_events_handled_total',
      'Events that a consumer received, by result',
      'consumer',
      'result',
    ),
  };
}
