import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The part of the driver's connection that this patch uses; the driver does not export it. */
interface Connection {
  socket: Socket;
  /** Ends the connection. Commands in progress on it fail with `error`. */
  cleanup(error: Error): void;
}

const require = createRequire(import.meta.url);
const { prototype }: { prototype: Connection } = require('mongodb/lib/cmap/connection.js').Connection;
const { cleanup } = prototype;

/**
 * The driver (7.8.0 and 7.9.0) waits for `drain` when a socket does not take a command at once. When the
 * server has just ended the connection, that event never comes and the command never ends. This patch ends
 * the wait with the connection.
 *
 * No upstream issue is known; the nearest is https://github.com/mongodb/node-mongodb-native/pull/4245
 * (NODE-6370). To reproduce: end a connection while commands larger than the socket's buffer are written, as
 * the test beside this does.
 */
prototype.cleanup = function (this: Connection, error) {
  cleanup.call(this, error);
  this.socket.emit('drain');
};
