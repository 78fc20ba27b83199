import { setTimeout as delay } from 'node:timers/promises';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ServiceName } from '@waymark/contracts';
import { failureLog } from './failure-log.ts';
import type { Logger } from './logger.ts';
import type { Span, SpanStart } from './tracing.ts';
import { version } from './version.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
const TRACEPARENT_FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const SEND_EVERY_MS = 1_000;
const SEND_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** Sends spans to a collector by OTLP over HTTP. Spans that it does not accept in time are dropped. */
export function otlpTracer(options: {
  service: ServiceName;
  endpoint: string;
  headers: Record<string, string>;
  /** The sampled share of the traces that begin here, from 0 to 1. */
  sampledShare: number;
  log: Logger;
}) {
  const { service, headers, log } = options;
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SEND_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `waymark-${service}`,
      'service.namespace': 'waymark',
      'service.version': version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: logFailures(exporter, log), scheduledDelayMillis: SEND_EVERY_MS }),
    ],
  });
  const tracer = provider.getTracer('waymark');
  return {
    start(name: string, { kind, parent, startedAtMs, attributes = {} }: SpanStart): Span {
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes, ...(startedAtMs !== undefined && { startTime: startedAtMs }) },
        contextOf(parent),
      );
      return {
        traceparent: traceparentOf(span.spanContext()),
        end({ attributes: more = {}, failed = false } = {}) {
          span.setAttributes(more);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    /** Sends the remaining spans, within two seconds. */
    async close(): Promise<void> {
      const late = delay(CLOSE_TIMEOUT_MS, undefined, { ref: false });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** Returns the parent context. A malformed traceparent starts a new trace, as W3C Trace Context specifies. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = '00'] = TRACEPARENT_FORM.exec(traceparent ?? '') ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const parent = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}

function logFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  const refused = failureLog(log, 'the collector does not accept traces; they are dropped');
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const reason = result.error?.name;
        if (reason === undefined) refused.onSuccess();
        else refused.onError(undefined, { reason }, reason);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
