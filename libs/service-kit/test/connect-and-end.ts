import { baseEnvironment, readEnvironment } from '../src/environment.ts';
import { createLogger } from '../src/logger.ts';
import { connectNats } from '../src/nats.ts';

/** Connects as a service with this environment, asks JetStream something, and ends. */
const { NATS_URL, NATS_CREDS } = baseEnvironment('audit');
const env = readEnvironment({ NATS_URL, NATS_CREDS }, process.env);
const log = createLogger('audit', 'trace', { write: (line) => console.error(line) });
const nats = connectNats({ servers: env.natsUrl, credentials: env.natsCreds, name: 'audit', log });
await new Promise<void>((resolve) => nats.onConnect(() => resolve()));
await (await nats.manager()).getAccountInfo();
await nats.close();
