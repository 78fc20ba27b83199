import { once } from 'node:events';
import http from 'node:http';

/** One server-sent message; `event` is "message" unless the server names it. */
export interface StreamMessage {
  id: string | undefined;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape
  data: any;
}

export type EventSource = Awaited<ReturnType<typeof openEventSource>>;

/** Opens a stream of server-sent events (WHATWG HTML, 9.2) on a separate connection. */
export async function openEventSource(url: string, headers: Record<string, string> = {}) {
  const request = http.request(url, { agent: false, headers }).end();
  // Errors of the socket arrive here even after the response.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const messages: StreamMessage[] = [];
  let all = '';
  let rest = '';
  let lastEventId: string | undefined;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    all += chunk;
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line)?.slice(1) ?? []);
      const field = (name: string) => fields.find(([key]) => key === name)?.[1];
      lastEventId = field('id') ?? lastEventId;
      const data = field('data');
      if (data !== undefined) {
        messages.push({ id: field('id'), event: field('event') ?? 'message', data: JSON.parse(data) });
      }
    }
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    /** The messages so far that carry data. */
    messages,
    /** Returns the id that a reconnect sends. */
    lastEventId: () => lastEventId,
    /** Returns the raw text so far. */
    text: () => all,
    /** Resolves when the server ends or aborts the stream. */
    ended: new Promise<void>((resolve) => response.on('error', () => undefined).on('close', resolve)),
    /** Stops reading, like a client that hangs. */
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void request.destroy(),
  };
}
