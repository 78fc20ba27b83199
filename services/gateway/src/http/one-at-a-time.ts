import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Beyond this number of requests that wait at a connection, no more is read from it. */
const WAITING_MAX = 8;

/**
 * Begins pipelined requests one after another. Their responses leave in this order anyway, so that a later
 * request would only hold resources that other clients could use.
 */
export function oneAtATime(handle: Handle): Handle {
  const connections = new WeakMap<Socket, { last: ServerResponse; waiting: number }>();
  return (request, response) => {
    const { socket } = request;
    const { last, waiting } = connections.get(socket) ?? { last: null, waiting: 0 };
    if (!last || last.destroyed) {
      connections.set(socket, { last: response, waiting: 0 });
      return handle(request, response);
    }
    const connection = { last: response, waiting: waiting + 1 };
    connections.set(socket, connection);
    // In the next tick, because Node resumes the socket after each request that it has parsed.
    if (connection.waiting >= WAITING_MAX) process.nextTick(() => socket.pause());
    last.once('close', () => {
      // The connection has ended, or ends with the previous response.
      if (!socket.writable) return;
      const current = connections.get(socket)!;
      current.waiting -= 1;
      if (current.waiting < WAITING_MAX) socket.resume();
      handle(request, response);
    });
  };
}
