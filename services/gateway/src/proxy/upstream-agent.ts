import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { ServiceTls } from '@waymark/service-kit/process';
import { UpstreamFailure } from './upstream-failure.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than a replica's drain delay, so that the replica finds no idle connection of ours to close. */
const IDLE_MS = 2_000;
const FREE_SOCKETS_MAX = 256;

export type SecureConnect = ServiceTls['connect'];

/**
 * Keep-alive connections to the replicas of one service, over TLS with `secureConnect`. A request gets its
 * socket only once that is connected, so that one that fails with an UpstreamFailure of kind `connect` has
 * certainly sent nothing.
 */
export function upstreamAgent(secureConnect: SecureConnect | null): http.Agent {
  const settings = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: FREE_SOCKETS_MAX };
  const agent: http.Agent = secureConnect ? new https.Agent(settings) : new http.Agent(settings);
  const connect = secureConnect ?? connectPlain;
  agent.createConnection = ({ host, port }, callback) => {
    connect({ host: host ?? 'localhost', port: Number(port) }, (error, socket) =>
      callback?.(error && new UpstreamFailure('connect', error.message, error), socket),
    );
    return undefined;
  };
  return agent;
}

const connectPlain: SecureConnect = ({ host, port }, done) => {
  const socket = net.connect({ host, port, noDelay: true });
  const onError = (error: Error) => {
    clearTimeout(timer);
    done(error, socket);
  };
  const timer = setTimeout(() => {
    socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS} ms`));
  }, CONNECT_TIMEOUT_MS);
  socket.once('error', onError);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('error', onError);
    done(null, socket);
  });
};
