import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';

const require = createRequire(import.meta.url);
const file = require.resolve('mongodb/lib/cmap/connection.js');

/** Loads the driver's file once more, without the patch that an earlier test file may have loaded. */
function loadAlone() {
  const loaded = require.cache[file];
  delete require.cache[file];
  const alone = require(file);
  if (loaded) require.cache[file] = loaded;
  return alone;
}

/** Reports whether a command that waits for `drain` ends with its connection. */
async function endsWithConnection({ Connection }: ReturnType<typeof loadAlone>): Promise<boolean> {
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
  expect(await endsWithConnection(loadAlone())).toBe(false);
  await import('./end-mongodb-writes.ts');
  expect(await endsWithConnection(require(file))).toBe(true);
});
