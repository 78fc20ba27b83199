import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Beyond this number of requests that wait at a connection, it is read ever more seldom. */
const WAITING_MAX = 8;
const FIRST_PAUSE_MS = 250;

interface Connection {
  last: ServerResponse;
  waiting: number;
  pauseMs: number;
  pause?: NodeJS.Timeout | undefined;
}

/**
 * Begins pipelined requests one after another. Their responses leave in this order anyway, so that a later
 * request would only hold resources that other clients could use.
 */
export function oneAtATime(handle: Handle): Handle {
  const connections = new WeakMap<Socket, Connection>();

  /** Reads nothing for a while, but not for ever: only a read shows that the client has gone. */
  function pause(socket: Socket, connection: Connection): void {
    if (!socket.writable) return;
    socket.pause();
    connection.pause ??= setTimeout(() => {
      connection.pause = undefined;
      // Each read may bring hundreds of requests, and the response before them may last for an hour.
      connection.pauseMs *= 2;
      socket.resume();
    }, connection.pauseMs);
  }

  function endPause(connection: Connection): void {
    clearTimeout(connection.pause);
    connection.pause = undefined;
    connection.pauseMs = FIRST_PAUSE_MS;
  }

  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection || connection.last.destroyed) {
      connections.set(socket, { last: response, waiting: 0, pauseMs: FIRST_PAUSE_MS });
      return handle(request, response);
    }
    const { last } = connection;
    connection.last = response;
    connection.waiting += 1;
    // In the next tick, because Node resumes the socket after each request that it has parsed.
    if (connection.waiting >= WAITING_MAX) process.nextTick(pause, socket, connection);
    last.once('close', () => {
      connection.waiting -= 1;
      // The connection has ended, or ends with the previous response.
      if (!socket.writable) return endPause(connection);
      if (connection.waiting < WAITING_MAX) {
        endPause(connection);
        socket.resume();
      }
      handle(request, response);
    });
  };
}
