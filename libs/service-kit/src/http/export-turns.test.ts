import { expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { exportTurns } from './export-turns.ts';

const { signal } = new AbortController();
const caller = (clientAddress: string) => ({
  principal: keyPrincipal({ user_id: clientAddress, workspace_id: clientAddress }),
  clientAddress,
  gone: () => signal,
});
const settle = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  let held = () => 0;
  const inTurns = exportTurns({
    admission: () => ({
      onRefused: () => undefined,
      onHeld: (count) => {
        held = count;
      },
    }),
  });
  return { inTurns, held: () => held() };
}

it('reads one page of a caller at once, and one of another beside it', async () => {
  const { inTurns } = start();
  const begun: string[] = [];
  const { promise, resolve: end } = Promise.withResolvers<void>();
  async function* pages(name: string) {
    begun.push(name);
    await promise;
    yield name;
  }
  const many = Array.from({ length: 30 }, () => inTurns(caller('192.0.2.1'), pages('many')).next());
  const other = inTurns(caller('198.51.100.1'), pages('other')).next();
  await settle();
  expect(begun).toEqual(['many', 'other']);
  end();
  await expect(other).resolves.toMatchObject({ value: 'other' });
  await Promise.all(many);
});

it('holds no turn while a page is read, after a failure, or after the client has left', async () => {
  const { inTurns, held } = start();
  let isClosed = false;
  async function* lasting() {
    try {
      for (;;) yield 'page';
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of inTurns(caller('192.0.2.1'), lasting())) {
    await settle();
    expect(held()).toBe(0);
    break;
  }
  async function* failing() {
    yield await Promise.reject(new Error('broken'));
  }
  await expect(inTurns(caller('192.0.2.1'), failing()).next()).rejects.toThrow('broken');
  await settle();
  expect([held(), isClosed]).toEqual([0, true]);
});
