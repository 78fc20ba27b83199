import http from 'node:http';
import { hashSecret } from '@waymark/contracts';

export interface SlowWay {
  url: string;
  /** Keeps back what accounts answers about this key. */
  keepBack(key: string): void;
  /** How many answers it keeps back. */
  kept(): number;
  letGo(): void;
  stop(): Promise<void>;
}

/** A way to accounts on which a test keeps back the answers of look-ups of one key. */
export async function startSlowWay(accountsUrl: string): Promise<SlowWay> {
  const agent = new http.Agent({ keepAlive: true });
  let slowHash: string | null = null;
  let kept: (() => void)[] = [];

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, headers } = request;
    const onward = http.request(accountsUrl + request.url, { method, headers, agent }, async (answer) => {
      const told = Buffer.concat(await answer.toArray());
      const send = () => response.writeHead(answer.statusCode ?? 502, answer.headers).end(told);
      if (slowHash !== null && body.includes(slowHash)) kept.push(send);
      else send();
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    keepBack(key) {
      slowHash = hashSecret(key);
    },
    kept: () => kept.length,
    letGo() {
      slowHash = null;
      for (const send of kept) send();
      kept = [];
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
