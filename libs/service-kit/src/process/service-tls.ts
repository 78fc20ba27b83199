import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { EnvironmentError } from './environment.ts';
import type { Logger } from './logger.ts';

/** The variables TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE. */
export interface TlsFiles {
  tlsCertFile?: string | undefined;
  tlsKeyFile?: string | undefined;
  tlsCaFile?: string | undefined;
}

export interface ServiceTls {
  /** Creates a server that speaks TLS if TLS_CERT_FILE is set, else plain HTTP. */
  createServer(options: http.ServerOptions, listener: http.RequestListener): http.Server;
  /** Connects with TLS. Calls `done` after the handshake or with the error, which is logged once per peer. */
  connect(to: { host: string; port: number }, done: (error: Error | null, socket: Socket) => void): void;
  /** When the certificate in use expires, in milliseconds; undefined without one. */
  expiresAtMs(): number | undefined;
  close(): void;
}

/** Files have no notification that works on every volume. */
const RELOAD_MS = 5_000;
const CONNECT_LIMIT_MS = 2_000;
/** Shorter than the drain, which waits for handshakes. */
const HANDSHAKE_LIMIT_MS = 5_000;

/** Opens the TLS of this process; renewed files take effect within seconds. Throws EnvironmentError. */
export function openServiceTls(files: TlsFiles, log?: Logger): ServiceTls {
  let current = readTls(files);
  let reloadFailure = '';
  const servers = new Set<https.Server>();
  const failures = new Map<string, string>();

  function reload(): void {
    try {
      const read = readTls(files);
      reloadFailure = '';
      if (isDeepStrictEqual(read.pem, current.pem)) return;
      current = read;
      if (read.own) for (const server of servers) server.setSecureContext(read.own);
      log?.info({ expires_at: read.expiresAt }, 'the renewed TLS files are in use');
    } catch (error) {
      const { message } = error as Error;
      if (message !== reloadFailure) log?.warn(`the former TLS files stay in use: ${message}`);
      reloadFailure = message;
    }
  }
  const isUsed = Object.keys(current.pem).length > 0;
  const reloading = isUsed ? setInterval(reload, RELOAD_MS).unref() : undefined;

  return {
    createServer(options, listener) {
      if (!current.own) return http.createServer(options, listener);
      const server = https.createServer(
        { ...options, ...current.own, handshakeTimeout: HANDSHAKE_LIMIT_MS },
        listener,
      );
      servers.add(server);
      server.once('close', () => servers.delete(server));
      return server;
    },
    connect({ host, port }, done) {
      const peer = `${host}:${port}`;
      const servername = isIP(host) === 0 ? host : '';
      const socket = tls.connect({ host, port, servername, secureContext: current.trusted });
      const timer = setTimeout(() => {
        socket.destroy(new Error(`no connection within ${CONNECT_LIMIT_MS} ms`));
      }, CONNECT_LIMIT_MS);
      socket.once('close', () => clearTimeout(timer));
      let isConnected = false;
      function onError(error: Error): void {
        // After a semicolon, Node suggests one of its options.
        const [reason = ''] = error.message.split(';');
        if (isConnected && failures.get(peer) !== reason) {
          failures.set(peer, reason);
          log?.warn({ code: (error as NodeJS.ErrnoException).code }, `TLS with ${peer} failed: ${reason}`);
        }
        done(error, socket);
      }
      socket.setNoDelay(true);
      socket.once('error', onError);
      socket.once('connect', () => {
        isConnected = true;
      });
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        socket.off('error', onError);
        failures.delete(peer);
        done(null, socket);
      });
    },
    expiresAtMs: () => (current.expiresAt === undefined ? undefined : Date.parse(current.expiresAt)),
    close: () => clearInterval(reloading),
  };
}

/** Returns the authorities in TLS_CA_FILE; undefined for all that Node trusts. Throws EnvironmentError. */
export const trustedAuthorities = (tlsCaFile: string | undefined): tls.SecureContext | undefined =>
  readTls({ tlsCaFile }).trusted;

function readTls({ tlsCertFile, tlsKeyFile, tlsCaFile }: TlsFiles) {
  if (!tlsCertFile !== !tlsKeyFile)
    throw new EnvironmentError('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or neither');
  const cert = readPem('TLS_CERT_FILE', tlsCertFile, (pem) => {
    // X509Certificate reads only the first of a chain.
    tls.createSecureContext({ cert: pem });
    return new X509Certificate(pem);
  });
  const key = readPem('TLS_KEY_FILE', tlsKeyFile, (pem) => createPrivateKey(pem));
  const ca = readPem('TLS_CA_FILE', tlsCaFile, (pem) => new X509Certificate(pem));
  if (cert && key && !cert.parsed.checkPrivateKey(key.parsed))
    throw new EnvironmentError(
      `TLS_KEY_FILE: ${tlsKeyFile} is not the key of the certificate in TLS_CERT_FILE`,
    );
  return {
    pem: { ...(cert && key && { cert: cert.pem, key: key.pem }), ...(ca && { ca: ca.pem }) },
    own: cert && key && { cert: cert.pem, key: key.pem },
    trusted: ca && tls.createSecureContext({ ca: ca.pem }),
    expiresAt: cert && new Date(cert.parsed.validTo).toISOString(),
  };
}

function readPem<T>(variable: string, path: string | undefined, parse: (pem: string) => T) {
  if (!path) return undefined;
  try {
    const pem = readFileSync(path, 'utf8');
    return { pem, parsed: parse(pem) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(`${variable}: ${path} cannot be used: ${code ?? message}`);
  }
}
