import { Counter, Gauge, type Registry } from 'prom-client';

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;

export function createGatewayMetrics(registry: Registry) {
  const registers = [registry];
  const circuits = new Map<string, () => boolean>();
  new Gauge({
    name: 'waymark_circuit_open',
    help: '1 while requests for a service are refused because it failed several times in a row',
    labelNames: ['upstream'],
    registers,
    collect() {
      for (const [upstream, isRefusing] of circuits) this.set({ upstream }, isRefusing() ? 1 : 0);
    },
  });
  return {
    watchCircuit(upstream: string, isRefusing: () => boolean) {
      circuits.set(upstream, isRefusing);
    },
    limiterDecisions: new Counter({
      name: 'waymark_limiter_decisions_total',
      help: 'Rate-limit decisions by result, and by the store that decided: redis, or memory while Redis is away',
      labelNames: ['result', 'by'],
      registers,
    }),
    limiterInsurance: new Gauge({
      name: 'waymark_limiter_insurance',
      help: '1 while this replica limits by itself because Redis is away or slow',
      registers,
    }),
    credentialLookups: new Counter({
      name: 'waymark_credential_lookups_total',
      help: 'Keys and sessions looked up in the cache, by result',
      labelNames: ['kind', 'result'],
      registers,
    }),
    eventStreamsDropped: new Counter({
      name: 'waymark_event_streams_dropped_total',
      help: 'Live event streams cut off because the client took too long',
      registers,
    }),
    slowReaders: new Counter({
      name: 'waymark_slow_readers_total',
      help: 'Connections closed because the client read an answer too slowly',
      registers,
    }),
    upstreamErrors: new Counter({
      name: 'waymark_upstream_errors_total',
      help: 'Failed attempts to reach a service, by what went wrong',
      labelNames: ['upstream', 'kind'],
      registers,
    }),
  };
}
