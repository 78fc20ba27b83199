import { connectNats } from '../src/events/nats.ts';
import { baseEnvironment, readEnvironment } from '../src/process/environment.ts';
import { createLogger } from '../src/process/logger.ts';

/** Connects as a service with this environment, sends JetStream a request, and ends. */
const { NATS_URL, NATS_CREDS } = baseEnvironment('audit');
const env = readEnvironment({ NATS_URL, NATS_CREDS }, process.env);
const log = createLogger('audit', 'trace', { write: (line) => console.error(line) });
const nats = connectNats({ servers: env.natsUrl, credentials: env.natsCreds, name: 'audit', log });
await new Promise<void>((resolve) => nats.onConnect(() => resolve()));
await (await nats.manager()).getAccountInfo();
await nats.close();
