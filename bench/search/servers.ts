import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type EventEnvelope, eventStream } from '@waymark/contracts';
import {
  findRepositoryRoot,
  freePort,
  type ManagedProcess,
  startProcess,
  startStores,
} from '@waymark/local-stack';
import { eventually, httpCall, identityEnvironment } from '@waymark/testing';
import { startPostgres } from '../support/postgres.ts';

/** Starts the search service with its own stores, and PostgreSQL if it is installed. */
export type SearchStand = Awaited<ReturnType<typeof startSearchStand>>;

/** A given directory keeps its data. */
export async function startSearchStand(given?: string) {
  if (given) await mkdir(given, { recursive: true });
  const directory = given ?? (await mkdtemp(join(tmpdir(), 'waymark-bench-')));
  const root = findRepositoryRoot();
  const stores = await startStores({ dataDir: join(directory, 'data'), log: () => undefined, env: {} });
  const postgres = await startPostgres(directory);
  const processes: ManagedProcess[] = [];

  async function startService(name: string, file: string, env: Record<string, string>) {
    const [port, adminPort] = [await freePort(), await freePort()];
    const shared = {
      MIGRATE_ON_START: 'true',
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      ...identityEnvironment,
      CURSOR_SECRETS: 'cursor-secret-for-the-bench-0123456789',
    };
    const started = await startProcess({
      name,
      command: process.execPath,
      args: ['--conditions=x-source', '--disable-warning=ExperimentalWarning', join(root, file)],
      env: { ...shared, DRAIN_DELAY_MS: '0', MIGRATE_ON_START: 'true', LOG_LEVEL: 'warn', ...env },
      logFile: join(directory, `${name}.log`),
      isReady: () =>
        httpCall(`http://127.0.0.1:${port}`, 'GET', '/').then(
          () => true,
          () => false,
        ),
    });
    processes.push(started);
    return { url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` };
  }

  const service = await startService('search', 'services/search/src/main.ts', {
    MONGODB_URL: stores.mongoUrl,
    NATS_URL: stores.natsUrl,
  });
  const nats = await connect({ servers: stores.natsUrl });
  const js = jetstream(nats);
  const stream = eventStream('waymark');
  const consumer = async () => (await jetstreamManager(nats)).consumers.info(stream.name, 'search');
  // Wait for the consumer: an event published before it exists would not be counted.
  await eventually(consumer, 10_000);

  return {
    directory,
    mongoUrl: stores.mongoUrl,
    postgres,
    service,
    startService,

    publish: (event: EventEnvelope) =>
      js.publish(stream.subject(event.type), JSON.stringify(event), { msgID: event.id }),

    /** Resolves when the service has handled all published events. */
    async untilProjected(): Promise<void> {
      await eventually(async () => {
        const { num_pending, num_ack_pending } = await consumer();
        return num_pending + num_ack_pending === 0;
      }, 3_600_000);
    },

    async metric(name: string): Promise<number> {
      const { text } = await httpCall(service.adminUrl, 'GET', '/metrics');
      const line = text.split('\n').find((candidate) => candidate.startsWith(name));
      return Number(line?.split(' ').at(-1) ?? 0);
    },

    async stop(): Promise<void> {
      await nats.close();
      for (const one of processes) await one.stop();
      await postgres?.process.stop();
      await stores.stop();
      if (!given) await rm(directory, { recursive: true, force: true });
    },
  };
}
