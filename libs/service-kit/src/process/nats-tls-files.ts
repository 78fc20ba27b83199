import { EnvironmentError } from './environment.ts';
import type { NatsServers } from './nats-servers.ts';

/** Returns the servers with TLS by these files, read for each connection. Throws EnvironmentError. */
export function withTlsFiles(
  servers: NatsServers,
  files: {
    natsCertFile?: string | undefined;
    natsKeyFile?: string | undefined;
    natsCaFile?: string | undefined;
  },
): NatsServers {
  const { natsCertFile: certFile, natsKeyFile: keyFile, natsCaFile: caFile } = files;
  if (!certFile && !keyFile && !caFile) return servers;
  if (!certFile !== !keyFile)
    throw new EnvironmentError('NATS_CERT_FILE and NATS_KEY_FILE belong together: set both or neither');
  const given = { ...(certFile && { certFile }), ...(keyFile && { keyFile }), ...(caFile && { caFile }) };
  return { ...servers, tls: { ...servers.tls, ...given } };
}
