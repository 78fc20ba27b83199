import type { Socket } from 'node:net';
// @ts-expect-error The driver does not declare the types of this file.
import * as driver from 'mongodb/lib/cmap/connection.js';

/** The part of the driver's connection that this patch uses; the driver does not export it. */
interface Connection {
  socket: Socket;
  /** Ends the connection. Commands in progress on it fail with `error`. */
  cleanup(error: Error): void;
}

const { prototype }: { prototype: Connection } = driver.Connection;
const { cleanup } = prototype;

/**
 * The driver (7.8.0 and 7.9.0) waits for `drain` when a socket does not take a command at once, forever if
 * the connection has just ended. No upstream issue is known; the nearest is
 * https://github.com/mongodb/node-mongodb-native/pull/4245 (NODE-6370).
 */
prototype.cleanup = function (this: Connection, error) {
  cleanup.call(this, error);
  this.socket.emit('drain');
};
