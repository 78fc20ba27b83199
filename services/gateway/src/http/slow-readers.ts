import type http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Counter } from '@waymark/service-kit/process';

const CHECK_MS = 1_000;
const PART_BYTES = 65_536;
/** The most waiting parts that prolong the time limit: progress within one large write is not visible. */
const PARTS_MAX = 16;
/** How many periods a client may be behind in all: ten, and one for each 512 KiB that it has read. */
const PERIODS = 10;
const PERIOD_BYTES = 524_288;

export interface SlowReaders {
  /** The limit for each 64 KiB of a response. */
  timeoutMs: number;
  ended: Pick<Counter, 'inc'>;
}

/**
 * Ends connections whose client takes longer than `timeoutMs` for 64 KiB of a response, or is behind for
 * longer than its size allows: unread parts stay in memory, and Node's own timeouts begin after the whole
 * response was sent. Returns a function to call when a response begins.
 */
export function endSlowReaders(
  server: http.Server,
  { timeoutMs, ended }: SlowReaders,
): (socket: Socket) => void {
  const connections = new Map<Socket, ReturnType<typeof progressOf>>();
  const progressOf = ({ bytesWritten }: Socket) => {
    return { readBytes: 0, sinceMs: 0, beforeBytes: bytesWritten, behindMs: 0 };
  };
  server.on(server instanceof https.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, progressOf(socket));
    socket.once('close', () => connections.delete(socket));
  });
  const checks = setInterval(() => {
    const nowMs = performance.now();
    for (const [socket, progress] of connections) {
      const { writableLength } = socket;
      const readBytes = socket.bytesWritten - writableLength;
      if (writableLength === 0 || readBytes !== progress.readBytes)
        Object.assign(progress, { readBytes, sinceMs: nowMs });
      if (writableLength > 0) progress.behindMs += CHECK_MS;
      const parts = Math.min(Math.ceil(writableLength / PART_BYTES), PARTS_MAX);
      const periods = PERIODS + (readBytes - progress.beforeBytes) / PERIOD_BYTES;
      if (nowMs - progress.sinceMs <= timeoutMs * parts && progress.behindMs <= timeoutMs * periods) continue;
      ended.inc();
      socket.destroy();
    }
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(checks));
  return (socket) => {
    if (connections.has(socket)) connections.set(socket, progressOf(socket));
  };
}
