import type { IncomingMessage, OutgoingMessage } from 'node:http';
import { isMarkedAsUntransferable } from 'node:worker_threads';

/**
 * Gives back the memory of a buffer, and of every other view of the same, at once: for who alone has it, and is done with it. V8
 * does not see how large it is, and collects everything once 64 MiB of them have come together. What Node shares among small buffers stays.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer)) buffer.transfer(0);
}

/** Takes each chunk behind its writing to `message`, and gives those back that the kernel has by then. */
export function releaseWhenSent(message: OutgoingMessage): (chunk: Uint8Array) => void {
  const written: Uint8Array[] = [];
  let bytes = 0;
  return (chunk) => {
    written.push(chunk);
    bytes += chunk.length;
    // What waits to be sent is the end of what was written: where the others are enough for it, the first is not in it.
    for (let first = written[0]!; !message.destroyed; first = written[0]!) {
      if (!first || bytes - first.length < message.writableLength) return;
      bytes -= first.length;
      release(first);
      written.shift();
    }
  };
}

/** Gives back what a message is read into, read by read, behind the parser: that copies the body out of it. */
export function releaseReads(message: IncomingMessage): void {
  const { socket } = message;
  socket.on('data', release);
  message.once('close', () => socket.off('data', release));
}
