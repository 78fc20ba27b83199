import { afterEach, expect, it } from '@jest/globals';
import type { KeyPrincipal } from '@waymark/contracts';
import type { Access } from '../request-context.ts';
import { workspaceScans } from './workspace-scans.ts';

const ignored = { onRefused: () => undefined, onHeld: () => undefined };
let over = new AbortController();

afterEach(() => {
  over.abort();
  over = new AbortController();
});

function reads() {
  const scan = workspaceScans({ admission: () => ignored });
  const gone = over.signal;
  const ended = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve()));
  const begun: string[] = [];
  /** Reads a workspace until the end of the test, in the name of a user and network. */
  function read(
    workspaceId: string,
    {
      userId = workspaceId,
      clientAddress = '192.0.2.1',
      leftMs = 60_000,
      key,
    }: { userId?: string; clientAddress?: string; leftMs?: number; key?: string } = {},
  ) {
    const caller = { type: 'api_key', user_id: userId, workspace_id: workspaceId } as KeyPrincipal;
    const ctx = {
      access: { workspaceId } as Access,
      principal: caller,
      clientAddress,
      deadlineMs: performance.now() + leftMs,
      leaveEarly: () => undefined,
      gone: () => gone,
    };
    const result = scan(
      ctx,
      async (bounded) => {
        begun.push(workspaceId);
        const { maxTimeMS } = bounded;
        await ended;
        return { maxTimeMS, bounded };
      },
      key,
    );
    result.catch(() => undefined);
    return result;
  }
  return { read, begun };
}

/** Lets the reads that may begin do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs two reads of a user at once, and those of others beside them, also of the same workspace', async () => {
  const { read, begun } = reads();
  for (let n = 0; n < 90; n += 1) void read('large');
  void read('large', { userId: 'colleague', clientAddress: '198.51.100.2' });
  void read('small', { clientAddress: '198.51.100.1' });
  await settle();
  expect(begun).toEqual(['large', 'large', 'large', 'small']);
});

it('begins no read of a client that has gone while it waited', async () => {
  const { read, begun } = reads();
  for (let n = 0; n < 2; n += 1) void read('large');
  const third = read('large');
  over.abort();
  await expect(third).rejects.toMatchObject({ name: 'AbortError' });
  expect(begun).toHaveLength(2);
});

it('lets callers with the same key share a read', async () => {
  const { read, begun } = reads();
  for (let n = 0; n < 30; n += 1)
    void read('one', { userId: `user ${n}`, clientAddress: `192.0.2.${n}`, key: 'count' });
  void read('one', { userId: 'other', clientAddress: '198.51.100.1', key: 'other' });
  await settle();
  expect(begun).toHaveLength(2);
});

it('leaves half to others of a network with many workspaces', async () => {
  const { read, begun } = reads();
  for (let n = 0; n < 30; n += 1) void read(`large ${n}`);
  void read('small', { clientAddress: '198.51.100.1' });
  await settle();
  expect(begun).toHaveLength(5);
  expect(begun).toContain('small');
});

it('gives a read the time that its request has left, and refuses one that waits as long', async () => {
  const { read } = reads();
  const first = read('one', { leftMs: 5_000 });
  void read('one');
  await expect(read('one', { leftMs: 0 })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  over.abort();
  const { maxTimeMS, bounded } = await first;
  expect(maxTimeMS).toBeGreaterThan(0);
  expect(maxTimeMS).toBeLessThanOrEqual(5_000);
  expect(() => bounded.maxTimeMS).toThrow('aborted');
});

it('begins no further read of MongoDB after the time of its request', async () => {
  const { read } = reads();
  await expect(read('one', { leftMs: 0 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
