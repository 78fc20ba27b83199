import type { ServerResponse } from 'node:http';

export type TogetherWriter = ReturnType<typeof writeTogether>;

/**
 * Writes a small body as latin1 text, which Node sends in one piece with the head. `setImmediate` lets all
 * answers that are read in one iteration of the event loop leave together and wake their reader once.
 */
export function writeTogether(response: ServerResponse, writeHead: () => void) {
  let text = '';
  let hasEnded = false;
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    if (response.destroyed) return;
    if (!response.headersSent) writeHead();
    response.write(text, 'latin1');
    text = '';
    // Node writes at the end of this tick. An end before that would add an empty piece.
    if (hasEnded) process.nextTick(() => response.end());
  }
  function schedule(): void {
    if (!isScheduled) setImmediate(flush);
    isScheduled = true;
  }

  return {
    add(chunk: Buffer): void {
      text += chunk.toString('latin1');
      schedule();
    },
    end(): void {
      hasEnded = true;
      schedule();
    },
  };
}
