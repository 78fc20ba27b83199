import { isIP } from 'node:net';
import { connect } from 'node:tls';

const CONNECT_LIMIT_MS = 3_000;
const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'rediss:': 6379 };
const MONGODB = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+).*[?&](?:tls|ssl)=true/;
const MONGODB_PORT = 27_017;

/**
 * Returns when the certificate of each TLS server in the `*_URL` variables expires, by host and port. Leaves
 * out servers that cannot be reached from here, and NATS, which begins without TLS.
 */
export async function observeCertificates(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, number>> {
  const urls = Object.entries(env).filter(([name]) => name.endsWith('_URL'));
  const servers = new Set(urls.flatMap(([, value = '']) => serversOf(value)));
  const asked = [...servers].map(async (server) => [server, await expiryAt(server)] as const);
  const found = (await Promise.all(asked)).filter(([, expiresAtMs]) => expiresAtMs !== null);
  return Object.fromEntries(found) as Record<string, number>;
}

function serversOf(urls: string): string[] {
  const [, hosts] = MONGODB.exec(urls) ?? [];
  if (hosts !== undefined)
    return hosts.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${MONGODB_PORT}`));
  return urls.split(',').flatMap((text) => {
    const url = URL.parse(text.trim());
    const port = url && (url.port || PORTS[url.protocol]);
    return url && url.protocol in PORTS ? [`${url.hostname}:${port}`] : [];
  });
}

function expiryAt(server: string): Promise<number | null> {
  const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(server) ?? [];
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port),
      ...(isIP(host) === 0 && { servername: host }),
      timeout: CONNECT_LIMIT_MS,
      // An expired certificate is read too; nothing is sent.
      rejectUnauthorized: false,
    });
    function end(expiresAtMs: number | null): void {
      socket.destroy();
      resolve(expiresAtMs);
    }
    socket.once('secureConnect', () => end(Date.parse(socket.getPeerCertificate().valid_to)));
    socket.once('error', () => end(null));
    socket.once('timeout', () => end(null));
  });
}
