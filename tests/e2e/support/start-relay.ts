import { connect, createServer, type Socket } from 'node:net';

/** Starts a proxy between a browser and the product that refuses and cuts connections as a bad network. */
export async function startRelay(target: string) {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((browser) => {
    const product = connect(Number(port), hostname);
    for (const socket of [browser, product]) {
      sockets.add(socket);
      // A connection that breaks is no failure of the test.
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    browser.pipe(product).pipe(browser);
    if (isCut) end();
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    setCut(cut: boolean) {
      isCut = cut;
      if (cut) end();
    },
    stop() {
      server.close();
      end();
    },
  };
}
