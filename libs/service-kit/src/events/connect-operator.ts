import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ApiError } from '@waymark/contracts';
import { baseEnvironment, readEnvironment } from '../process/environment.ts';
import { withTlsFiles } from '../process/nats-tls-files.ts';
import { isNatsRefusal } from './nats.ts';

const CONNECT_LIMIT_MS = 5_000;

/** Connects a command to NATS, or fails at once. Throws EnvironmentError or SERVICE_UNAVAILABLE. */
export async function connectOperator(
  env: Record<string, string | undefined>,
): Promise<{ nats: NatsConnection; natsPrefix: string }> {
  // Every service declares these variables in the same way.
  const { NATS_URL, NATS_CREDS, NATS_PREFIX, NATS_CERT_FILE, NATS_KEY_FILE, NATS_CA_FILE } =
    baseEnvironment('gateway');
  const files = { NATS_CERT_FILE, NATS_KEY_FILE, NATS_CA_FILE };
  const read = readEnvironment({ NATS_URL, NATS_CREDS, NATS_PREFIX, ...files }, env);
  const { natsUrl, natsCreds, natsPrefix } = read;
  const authenticator = natsCreds && { authenticator: natsCreds };
  const options = {
    ...withTlsFiles(natsUrl, read),
    ...authenticator,
    name: 'cli',
    timeout: CONNECT_LIMIT_MS,
  };
  const nats = await connect(options).catch((cause) => {
    const message = isNatsRefusal(cause)
      ? 'NATS refuses the credentials in NATS_URL or NATS_CREDS'
      : 'NATS is away: see NATS_URL';
    throw new ApiError('SERVICE_UNAVAILABLE', { message, cause });
  });
  return { nats, natsPrefix };
}
