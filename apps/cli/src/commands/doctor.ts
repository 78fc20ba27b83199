import { storingServices } from '@waymark/contracts';
import { ExitCode } from '../command-error.ts';
import { findingsOf, isAway } from '../health/findings.ts';
import { type Observations, observe } from '../health/observe.ts';
import type { Terminal } from '../terminal.ts';

const EXIT_CODES = { warning: 2, critical: 3 };

/** Prints what is wrong and how to fix it. Throws ExitCode 2 for warnings, 3 if something is critical. */
export async function examine(options: { backup?: string }, terminal: Terminal): Promise<void> {
  const [first, ...others] = findingsOf(await observe(terminal.env, options));
  if (!first) return terminal.out('nothing found');
  for (const { level, topic, summary, fix } of [first, ...others]) {
    terminal.out(`${level}: ${topic}: ${summary}`);
    terminal.out(`  fix: ${fix}`);
  }
  throw new ExitCode(EXIT_CODES[first.level]);
}

/** Prints the state of the stores, the databases and the consumers of events on one screen. */
export async function showStatus(terminal: Terminal): Promise<void> {
  const observed = await observe(terminal.env, {});
  for (const line of statusLines(observed)) terminal.out(line);
  const count = findingsOf(observed).length;
  terminal.out(count === 0 ? 'nothing found by waymark doctor' : `${count} findings: waymark doctor`);
}

function statusLines({ mongo, nats, redis, databases, reachable, auditStopped }: Observations): string[] {
  const stores = [
    row('mongodb', isAway(mongo) ? `away: ${mongo.away}` : `up, ${mongo.version}`),
    row('nats', isAway(nats) ? `away: ${nats.away}` : `up, ${nats.version}, ${streamText(nats.stream)}`),
    ...Object.entries(redis ?? {}).map(([server, state]) =>
      row('redis', isAway(state) ? `${server} away: ${state.away}` : `${server} up, ${state.version}`),
    ),
  ];
  const ofService = storingServices.map((service) => {
    const database = databases[service];
    const parts = [service in reachable ? (reachable[service] ? 'answers' : 'does not answer') : ''];
    if (!database || isAway(database)) parts.push('database away');
    else {
      parts.push(`${database.outboxPending} events to publish`);
      if (database.pendingMigrations.length > 0) parts.push('migrations pending');
    }
    const consumer = isAway(nats) ? undefined : nats.consumers.find(({ name }) => name === service);
    if (consumer) parts.push(`${consumer.lag} events behind`);
    const parked = isAway(nats) ? 0 : (nats.parked[service] ?? 0);
    if (parked > 0) parts.push(`${parked} parked`);
    if (service === 'audit')
      parts.push(...Object.entries(auditStopped).map(([why, n]) => `${n} chains stopped (${why})`));
    return row(service, parts.filter(Boolean).join(', '));
  });
  const gateway =
    'gateway' in reachable ? [row('gateway', reachable.gateway ? 'answers' : 'does not answer')] : [];
  return [...stores, ...gateway, ...ofService];
}

const row = (name: string, text: string) => `${name.padEnd(10)} ${text}`;

function streamText(stream: { bytes: number; maxBytes: number; events: number } | null): string {
  if (!stream) return 'no event stream';
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MiB`;
  const most = stream.maxBytes > 0 ? ` of ${mebibytes(stream.maxBytes)}` : '';
  return `${stream.events} events in ${mebibytes(stream.bytes)}${most}`;
}
