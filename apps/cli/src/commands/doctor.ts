import { type ServiceName, storingServices } from '@waymark/contracts';
import { ExitCode } from '../failures/command-error.ts';
import { databaseNowMs, type Finding, isAway, outboxCount, seconds } from '../health/finding.ts';
import { findingsOf } from '../health/findings.ts';
import { type Away, type Observations, observe } from '../health/observe.ts';
import { CONSUMERS } from '../health/store-findings.ts';
import type { Terminal } from '../terminal/terminal.ts';

const EXIT_CODES = { warning: 2, critical: 3 };

/** Prints each problem and how to fix it. Throws ExitCode 2 for warnings, 3 if something is critical. */
export async function examine(options: { backup?: string }, terminal: Terminal): Promise<void> {
  const found = findingsOf(await observe(terminal.env, options));
  for (const { level, topic, summary, fix } of found) {
    terminal.out(`${level}: ${topic}: ${summary}`);
    terminal.out(`  fix: ${fix}`);
  }
  if (found.length === 0) terminal.out('nothing found');
  exitWith(found);
}

/** The most severe finding is the first one. */
function exitWith([first]: readonly Finding[]): void {
  if (first) throw new ExitCode(EXIT_CODES[first.level]);
}

/**
 * Prints the state of the stores, the databases and the consumers of events on one screen. Throws ExitCode as
 * `examine`.
 */
export async function showStatus(terminal: Terminal): Promise<void> {
  const observed = await observe(terminal.env, {});
  for (const line of statusLines(observed)) terminal.out(line);
  const found = findingsOf(observed);
  const count = found.length;
  if (count > 0) terminal.out(`${count} ${count === 1 ? 'finding' : 'findings'}; run waymark doctor`);
  else terminal.out('nothing found by waymark doctor; events that wait are a finding after a minute');
  exitWith(found);
}

function statusLines(observed: Observations): string[] {
  const { mongo, nats, redis, databases, reachable, auditStopped, webhooksDueSinceMs } = observed;
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
      parts.push(`${outboxCount(database)} events to publish`);
      if (database.unfinishedRestore) parts.push('restore not finished');
      if (database.pendingMigrations.length > 0) parts.push('migrations pending');
    }
    if (!isAway(nats)) parts.push(...consumersOf(service, nats));
    if (service === 'audit')
      parts.push(...Object.entries(auditStopped).map(([why, n]) => `${n} chains stopped (${why})`));
    if (service === 'webhooks' && webhooksDueSinceMs !== null)
      parts.push(`a delivery due for ${seconds(databaseNowMs(observed) - webhooksDueSinceMs)}`);
    return row(service, parts.filter(Boolean).join(', '));
  });
  const gateway =
    'gateway' in reachable ? [row('gateway', reachable.gateway ? 'answers' : 'does not answer')] : [];
  return [...stores, ...gateway, ...ofService];
}

/** A second consumer of a service is named. */
function consumersOf(
  service: ServiceName,
  { consumers, parked }: Exclude<Observations['nats'], Away>,
): string[] {
  const own = consumers.filter(({ name }) => CONSUMERS[name as keyof typeof CONSUMERS] === service);
  return own.flatMap(({ name, lag }) => {
    const suffix = name === service ? '' : ` (${name})`;
    const count = parked[name] ?? 0;
    return [`${lag} events behind${suffix}`, count > 0 ? `${count} parked${suffix}` : ''];
  });
}

const row = (name: string, text: string) => `${name.padEnd(10)} ${text}`;

function streamText(stream: { bytes: number; maxBytes: number; events: number } | null): string {
  if (!stream) return 'no event stream';
  const mebibytes = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MiB`;
  const most = stream.maxBytes > 0 ? ` of ${mebibytes(stream.maxBytes)}` : '';
  return `${stream.events} events in ${mebibytes(stream.bytes)}${most}`;
}
