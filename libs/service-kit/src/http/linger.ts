import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER_MS = 2_000;

/**
 * Ends a response whose client may still be sending its body: reads on for a moment, because a close in
 * between would lose the client the response.
 */
export function endLingering(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer);
    if (!response.writableEnded) response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
