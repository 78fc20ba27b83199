import http from 'node:http';
import { hashSecret } from '@waymark/contracts';

export interface DelayingProxy {
  url: string;
  /** Holds the answers of accounts about this key. */
  holdAnswers(key: string): void;
  /** Returns the number of held answers. */
  heldCount(): number;
  /** Sends the held answers, and holds no more. */
  releaseAnswers(): void;
  stop(): Promise<void>;
}

/** Starts a proxy to accounts that can hold the answers of look-ups of one key. */
export async function startDelayingProxy(accountsUrl: string): Promise<DelayingProxy> {
  const agent = new http.Agent({ keepAlive: true });
  let slowHash: string | null = null;
  let held: (() => void)[] = [];

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method, headers } = request;
    const onward = http.request(accountsUrl + request.url, { method, headers, agent }, async (answer) => {
      const answerBody = Buffer.concat(await answer.toArray());
      const send = () => response.writeHead(answer.statusCode ?? 502, answer.headers).end(answerBody);
      if (slowHash !== null && body.includes(slowHash)) held.push(send);
      else send();
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    holdAnswers(key) {
      slowHash = hashSecret(key);
    },
    heldCount: () => held.length,
    releaseAnswers() {
      slowHash = null;
      for (const send of held) send();
      held = [];
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
