import type { Metrics } from '@waymark/service-kit/process';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

export function createGatewayMetrics({ counter, gauge, watched }: Metrics) {
  return {
    watchCircuit: watched(
      'waymark_circuit_open',
      '1 while requests for a service are refused because it failed several times in a row',
      'upstream',
    ),
    limiterDecisions: counter(
      'waymark_limiter_decisions_total',
      'Rate-limit decisions by result, and by the store that decided: redis, or memory while Redis is away',
      'result',
      'by',
    ),
    limiterInsurance: gauge(
      'waymark_limiter_insurance',
      '1 while this replica limits by itself because Redis is away or slow',
    ),
    credentialLookups: counter(
      'waymark_credential_lookups_total',
      'Keys and sessions looked up in the cache, by result',
      'kind',
      'result',
    ),
    eventStreamsDropped: counter(
      'waymark_event_streams_dropped_total',
      'Live event streams cut off because the client took too long',
    ),
    slowReaders: counter(
      'waymark_slow_readers_total',
      'Connections closed because the client read an answer too slowly',
    ),
    upstreamErrors: counter(
      'waymark_upstream_errors_total',
      'Failed attempts to reach a service, by what went wrong',
      'upstream',
      'kind',
    ),
  };
}
