import { AsyncLocalStorage } from 'node:async_hooks';
import type { Operation, ServiceName } from '@waymark/contracts';
import type { BaseConfig } from './environment.ts';
import type { Logger } from './logger.ts';

/** The W3C Trace Context header, between processes and on NATS messages. */
export const TRACEPARENT = 'traceparent';

export type SpanKind = 'server' | 'client' | 'consumer';

/** Ids, names and numbers of ours: never a URL, a query, a body or a credential. */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

/** A piece of work under way. */
export interface Span {
  /** What the next process needs to go on with this trace. */
  readonly traceparent: string;
  end(outcome?: { attributes?: SpanAttributes; failed?: boolean }): void;
}

export interface SpanStart {
  kind: SpanKind;
  /** The traceparent that came with the work; without one a trace begins. */
  parent?: string | undefined;
  /** Milliseconds since 1970; now when absent. */
  startedAtMs?: number;
  attributes?: SpanAttributes;
}

/** What makes spans. Without a collector there is none, and nothing of it is loaded. */
export interface Tracer {
  start(name: string, options: SpanStart): Span;
  /** Sends what is left, within two seconds. */
  close(): Promise<void>;
}

export interface Tracing {
  /** Resolves when spans are made, at once where traces are off. */
  readonly ready: Promise<void>;
  /** Null where traces are off. */
  begin(name: string, options: SpanStart): Span | null;
  /**
   * The same where `parent` says that a trace has come this far, else null: only the gateway begins traces.
   */
  proceed(name: string, options: SpanStart & { parent: string | undefined }): Span | null;
  /** Runs work as part of a span: its events and its calls to others carry it on. */
  within<T>(span: Span | null, work: () => T): T;
  /** The traceparent of the span that this runs in. */
  current(): string | undefined;
  close(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span>();

/** Traces, sent to the collector at OTEL_EXPORTER_OTLP_ENDPOINT; without it every call returns at once. */
export function openTracing(service: ServiceName, config: BaseConfig, log: Logger): Tracing {
  const endpoint = config.otelExporterOtlpEndpoint;
  let tracer: Tracer | null = null;
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
    ready: endpoint ? load() : Promise.resolve(),
    begin: (name, options) => tracer?.start(name, options) ?? null,
    proceed: (name, options) => (options.parent ? (tracer?.start(name, options) ?? null) : null),
    within: (span, work) => (span ? spans.run(span, work) : work()),
    current: () => (tracer ? spans.getStore()?.traceparent : undefined),
    close: async () => tracer?.close(),
  };
}

/** What a span says of a request: the operation's names and the id that answers and logs carry too. */
export function requestAttributes(operation: Operation, requestId: string): SpanAttributes {
  return {
    'http.request.method': operation.method,
    'http.route': operation.path,
    'waymark.request_id': requestId,
  };
}
