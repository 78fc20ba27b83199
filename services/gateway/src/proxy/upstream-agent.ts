import http from 'node:http';
import net from 'node:net';
import { UpstreamFailure } from './upstream-failure.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** Shorter than a replica's drain delay, so that the replica finds no idle connection of ours to close. */
const IDLE_MS = 2_000;
const FREE_SOCKETS_MAX = 256;

/**
 * Keep-alive connections to the replicas of one service. A request gets its socket only once that is
 * connected, so that one that fails with an UpstreamFailure of kind `connect` has certainly sent nothing.
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
