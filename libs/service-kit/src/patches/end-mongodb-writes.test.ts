import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';

const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');

/** Reports whether a command that waits for `drain` ends with its connection. */
async function endsWithConnection(): Promise<boolean> {
  const socket = Object.assign(new EventEmitter(), { write: () => false, destroy: () => undefined });
  const connection = Object.assign(Object.create(Connection.prototype), new EventEmitter(), { socket });
  let hasEnded = false;
  const command = { toBin: async () => [Buffer.alloc(1)] };
  void connection.writeCommand(command, { agreedCompressor: 'none' }).finally(() => {
    hasEnded = true;
  });
  await setImmediate();
  connection.cleanup(new Error('the server has ended the connection'));
  await setImmediate();
  return hasEnded;
}

it('ends a command with its connection; the driver alone does not', async () => {
  expect(await endsWithConnection()).toBe(false);
  await import('./end-mongodb-writes.ts');
  expect(await endsWithConnection()).toBe(true);
});
