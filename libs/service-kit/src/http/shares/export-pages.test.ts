import { expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { exportPages } from './export-pages.ts';

const { signal } = new AbortController();
const caller = (clientAddress: string, { gone = signal, deadlineMs = Number.POSITIVE_INFINITY } = {}) => ({
  principal: keyPrincipal({ user_id: clientAddress, workspace_id: clientAddress }),
  clientAddress,
  deadlineMs,
  gone: () => gone,
});
const settle = () => new Promise((resolve) => setImmediate(resolve));

function start() {
  let held = () => 0;
  const limitPages = exportPages({
    admission: () => ({
      onRefused: () => undefined,
      onHeld: (count) => {
        held = count;
      },
    }),
  });
  return { limitPages, held: () => held() };
}

it('reads one page of a caller at once, and one of another beside it', async () => {
  const { limitPages } = start();
  const begun: string[] = [];
  const { promise, resolve: end } = Promise.withResolvers<void>();
  async function* pages(name: string) {
    begun.push(name);
    await promise;
    yield name;
  }
  const many = Array.from({ length: 30 }, () => limitPages(caller('192.0.2.1'), pages('many')).next());
  const other = limitPages(caller('198.51.100.1'), pages('other')).next();
  await settle();
  expect(begun).toEqual(['many', 'other']);
  end();
  await expect(other).resolves.toMatchObject({ value: 'other' });
  await Promise.all(many);
});

it('holds no turn while a page is read, after a failure, or after the client has left', async () => {
  const { limitPages, held } = start();
  let isClosed = false;
  async function* lasting() {
    try {
      for (;;) yield 'page';
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of limitPages(caller('192.0.2.1'), lasting())) {
    await settle();
    expect(held()).toBe(0);
    break;
  }
  async function* failing() {
    yield await Promise.reject(new Error('broken'));
  }
  await expect(limitPages(caller('192.0.2.1'), failing()).next()).rejects.toThrow('broken');
  await settle();
  expect([held(), isClosed]).toEqual([0, true]);
});

it('ends a wait for the first page when the client has gone, and at the deadline', async () => {
  const { limitPages } = start();
  const { promise, resolve: end } = Promise.withResolvers<void>();
  let begun = 0;
  async function* pages() {
    begun += 1;
    await promise;
    yield 'page';
  }
  const address = '192.0.2.1';
  const first = limitPages(caller(address), pages()).next();
  const client = new AbortController();
  const second = limitPages(caller(address, { gone: client.signal }), pages()).next();
  const late = limitPages(caller(address, { deadlineMs: performance.now() }), pages()).next();
  client.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  await expect(late).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  end();
  await expect(first).resolves.toMatchObject({ value: 'page' });
  expect(begun).toBe(1);
});
