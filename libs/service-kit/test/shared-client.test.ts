import { connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '@waymark/local-stack';
import { pino } from 'pino';
import { openDatabase } from '../src/store/database.ts';

const log = pino({ level: 'silent' });
const MONGODB_URL = String(process.env['MONGODB_URL']);
const open = (name: string, url = MONGODB_URL) =>
  openDatabase({ url, name, prepare: async (db) => void (await db.command({ ping: 1 })), log });

describe('databases of one URL in one process', () => {
  it('share a client, which the last of them closes', async () => {
    const [first, second] = [open('first'), open('second')];
    expect(second.client).toBe(first.client);

    await first.close();
    await first.close();
    await expect(second.db.command({ ping: 1 })).resolves.toMatchObject({ ok: 1 });
    expect(second.isUp()).toBe(true);
    await second.close();

    const third = open('third');
    expect(third.client).not.toBe(first.client);
    await expect(third.db.command({ ping: 1 })).resolves.toMatchObject({ ok: 1 });
    await third.close();
  });

  it('all become ready when a server appears that was away at their start', async () => {
    const port = await freePort();
    const databases = ['first', 'second', 'third'].map((name) =>
      open(name, `mongodb://127.0.0.1:${port}/?directConnection=true`),
    );
    await Promise.all(databases.map(({ tried }) => tried));
    expect(databases.map(({ isReady }) => isReady())).toEqual([false, false, false]);

    const { hostname, port: target } = new URL(MONGODB_URL);
    const server = createServer((socket) => {
      const onward = connect(Number(target), hostname);
      socket.pipe(onward).pipe(socket);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await Promise.all(databases.map(({ ready }) => ready));
    await Promise.all(databases.map((database) => database.close()));
    await new Promise((resolve) => server.close(resolve));
  });
});
