import http from 'node:http';

/** One server-sent message; `event` is "message" unless the server names it. */
export interface StreamMessage {
  id: string | undefined;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape
  data: any;
}

export interface EventSource {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The messages so far that carry data. */
  messages: StreamMessage[];
  /** Returns the id that a reconnect sends. */
  lastEventId(): string | undefined;
  /** Returns the raw text so far. */
  text(): string;
  /** Resolves when the server ends or aborts the stream. */
  ended: Promise<void>;
  /** Stops reading, like a client that hangs. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a stream of server-sent events (WHATWG HTML, 9.2) on a separate connection. */
export function openEventSource(url: string, headers: Record<string, string> = {}): Promise<EventSource> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent: false, headers });
    request.on('error', reject);
    request.on('response', (response) => {
      const messages: StreamMessage[] = [];
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
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
      response.on('close', end);
      response.on('error', () => end());
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        messages,
        lastEventId: () => lastEventId,
        text: () => all,
        ended,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => request.destroy(),
      });
    });
    request.end();
  });
}
