import http from 'node:http';
import net from 'node:net';
import { UpstreamFailure } from './upstream-failure.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than a replica's drain delay: when it closes what is idle, nothing idle here is left to close. */
const IDLE_MS = 2_000;
const FREE_SOCKETS_MAX = 256;

/**
 * Keep-alive connections to the replicas of one service. A request gets its socket only when that is connected, so that a
 * failed connect is known to have sent nothing of it; it fails with an UpstreamFailure of kind `connect`.
 */
export function upstreamAgent(): http.Agent {
  const agent = new http.Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: FREE_SOCKETS_MAX });
  agent.createConnection = (options, callback) => {
    const socket = net.connect({
      host: options.host ?? 'localhost',
      port: Number(options.port),
      noDelay: true,
    });
    const onError = (error: Error) => {
      clearTimeout(timer);
      callback?.(new UpstreamFailure('connect', error.message, error), socket);
    };
    const timer = setTimeout(() => {
      socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS} ms`));
    }, CONNECT_TIMEOUT_MS);
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      callback?.(null, socket);
    });
    return undefined;
  };
  return agent;
}
