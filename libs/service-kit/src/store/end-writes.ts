import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** What this uses of a connection of the driver's, which does not export it. */
interface Connection {
  socket: Socket;
  /** Ends the connection; its `error` is what commands under way on it fail with. */
  cleanup(error: Error): void;
}

const require = createRequire(import.meta.url);
const { prototype }: { prototype: Connection } = require('mongodb/lib/cmap/connection.js').Connection;
const { cleanup } = prototype;

/**
 * The driver (7.8.0, and 7.9.0) waits for `drain` when a socket does not take a command at once. On one that the server
 * has just ended that never comes, and the command would wait for ever. So the wait ends with the connection.
 */
prototype.cleanup = function (this: Connection, error) {
  cleanup.call(this, error);
  this.socket.emit('drain');
};
