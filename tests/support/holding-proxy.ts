import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** Holds back everything that follows on a connection. */
export const HELD = 'held-back';
/** Of an HTTP request: lets its head pass, and holds its body back. */
export const HELD_BODY = 'held-body';
/** Of an HTTP request: lets its response begin, and leaves the rest of it unread. */
export const HELD_RESPONSE = 'held-response';

export type HoldingProxy = Awaited<ReturnType<typeof startHoldingProxy>>;

/**
 * A proxy to a port of this machine that makes a service or store slow for chosen requests only: it holds
 * back what contains HELD, HELD_BODY or a text of `hold`, and the response to HELD_RESPONSE.
 */
export async function startHoldingProxy(port: number) {
  const held = new Set<Socket>();
  const texts = [HELD];
  const sockets = new Set<Socket>();

  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (held.has(from)) return;
      const passes = chunk.includes(HELD_BODY) ? chunk.indexOf('\r\n\r\n') + 4 : 0;
      if (passes === 0 && !texts.some((text) => chunk.includes(text))) return void to.write(chunk);
      to.write(chunk.subarray(0, passes));
      held.add(from);
    });
  }

  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    forward(client, upstream);
    client.on('data', (chunk: Buffer) => {
      if (chunk.includes(HELD_RESPONSE)) upstream.once('data', () => upstream.pause());
    });
    upstream.on('data', (chunk) => client.write(chunk));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one.setNoDelay());
      one
        .on('error', () => undefined)
        .on('close', () => {
          held.delete(one);
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    /** Holds back what contains one of these as well. */
    hold: (more: readonly string[]) => void texts.splice(1, texts.length, ...more),
    port: (server.address() as AddressInfo).port,
    /** The number of connections that are held back. */
    held: () => held.size,
    /** Closes them. */
    drop(): void {
      for (const socket of held) socket.destroy();
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
