import type http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

const CHECK_MS = 1_000;
const PART_BYTES = 65_536;
/** The progress of one large write is not visible. More waits only for a client that asks without reading. */
const PARTS_MAX = 16;

/**
 * Ends connections whose client takes longer than `timeoutMs` for 64 KiB of an answer. What it does not read
 * stays in memory, and Node's own timeouts begin after the whole answer was sent.
 */
export function endSlowReaders(server: http.Server, timeoutMs: number): void {
  const connections = new Map<Socket, { readBytes: number; sinceMs: number }>();
  server.on(server instanceof https.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, { readBytes: 0, sinceMs: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const checks = setInterval(() => {
    const nowMs = performance.now();
    for (const [socket, progress] of connections) {
      const { writableLength } = socket;
      const readBytes = socket.bytesWritten - writableLength;
      if (writableLength === 0 || readBytes !== progress.readBytes) {
        Object.assign(progress, { readBytes, sinceMs: nowMs });
      } else {
        const parts = Math.min(Math.ceil(writableLength / PART_BYTES), PARTS_MAX);
        if (nowMs - progress.sinceMs > timeoutMs * parts) socket.destroy();
      }
    }
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(checks));
}
