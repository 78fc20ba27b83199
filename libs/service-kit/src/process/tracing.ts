import { AsyncLocalStorage } from 'node:async_hooks';
import type { Operation, ServiceName } from '@waymark/contracts';
import type { BaseConfig } from './environment.ts';
import type { Logger } from './logger.ts';

/** The W3C Trace Context header, used between processes and on NATS messages. */
export const TRACEPARENT = 'traceparent';

/** Ids, names and numbers of the product, never a URL, a query, a body or a credential. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

/** A unit of work in progress. */
export interface Span {
  /** The header value with which the next process continues this trace. */
  readonly traceparent: string;
  end(outcome?: { attributes?: SpanAttributes; failed?: boolean }): void;
}

export interface SpanStart {
  kind: 'server' | 'client' | 'consumer';
  /** The traceparent that came with the work; without one, a new trace begins. */
  parent?: string | undefined;
  /** Milliseconds since 1970; now when absent. */
  startedAtMs?: number;
  attributes?: SpanAttributes;
}

export type Tracing = ReturnType<typeof openTracing>;

const spans = new AsyncLocalStorage<Span>();

/** Opens tracing to the collector at OTEL_EXPORTER_OTLP_ENDPOINT; without it, every call returns at once. */
export function openTracing(service: ServiceName, config: BaseConfig, log: Logger) {
  const endpoint = config.otelExporterOtlpEndpoint;
  let tracer: ReturnType<typeof import('./otlp-tracer.ts').otlpTracer> | undefined;
  const load = async () => {
    const { otlpTracer } = await import('./otlp-tracer.ts');
    tracer = otlpTracer({
      service,
      endpoint: endpoint!,
      headers: config.otelExporterOtlpHeaders,
      sampledShare: config.otelTracesSamplerArg,
      log,
    });
  };
  return {
    /** Resolves when the tracer is loaded; at once when tracing is off. */
    ready: endpoint ? load() : Promise.resolve(),
    /** Begins a span; null when tracing is off. */
    begin: (name: string, options: SpanStart) => tracer?.start(name, options) ?? null,
    /** Begins a span of the trace in `parent`; null without one, because only the gateway begins traces. */
    proceed: (name: string, options: SpanStart & { parent: string | undefined }) =>
      (options.parent && tracer?.start(name, options)) || null,
    /** Runs `work` within a span: its events and its calls to other services belong to the trace. */
    within: <T>(span: Span | null, work: () => T) => (span ? spans.run(span, work) : work()),
    /** Returns the traceparent of the current span. */
    current: () => spans.getStore()?.traceparent,
    close: async () => tracer?.close(),
  };
}

/** Returns the attributes of a request's span. */
export function requestAttributes(operation: Operation, requestId: string): SpanAttributes {
  return {
    'http.request.method': operation.method,
    'http.route': operation.path,
    'waymark.request_id': requestId,
  };
}
