import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@waymark/service-kit/process';
import { eventually } from '@waymark/testing';
import { type LocalIndexes, localIndexes } from '../src/index/local-indexes.ts';
import type { Found } from '../src/query/find-hits.ts';
import type { IndexedChange } from '../src/store/items.ts';

const MEBIBYTE = 1024 * 1024;
const opened: LocalIndexes[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((indexes) => indexes.stop()));
});

/** Indexes over a handwritten projection, in which each record is a change of the next revision. */
function stand(options: { maxBytes?: number; maxMemoryBytes?: number; waitMs?: number } = {}) {
  const projections = new Map<string, { epoch: string; changes: IndexedChange[] }>();
  const clock = { nowMs: 1_000_000 };
  const reads: string[] = [];
  const faults: Error[] = [];
  const logged: string[] = [];
  let reading: Promise<void> | undefined;
  const indexes = localIndexes({
    store: {
      async *changesAfter(workspaceId, since, size) {
        reads.push(`${workspaceId} after ${since}`);
        const fault = faults.pop();
        if (fault) throw fault;
        await reading;
        const { changes } = projections.get(workspaceId)!;
        let at = Math.max(since, 0);
        for (; changes.length - at >= size; at += size) {
          yield { changes: changes.slice(at, at + size), revision: at + size };
        }
        yield { changes: changes.slice(at), revision: changes.length };
      },
      state: async (workspaceId) => (projections.has(workspaceId) ? stateOf(workspaceId) : null),
    },
    threads: 1,
    maxBytes: options.maxBytes ?? 100 * MEBIBYTE,
    maxMemoryBytes: options.maxMemoryBytes ?? 1_000 * MEBIBYTE,
    // On a busy machine an index thread takes long.
    waitMs: options.waitMs ?? 600_000,
    log: createLogger('search', 'warn', { write: (line) => void logged.push(JSON.parse(line).workspace_id) }),
    now: () => clock.nowMs,
  });
  opened.push(indexes);
  const stateOf = (workspaceId: string) => {
    const { epoch, changes } = projections.get(workspaceId)!;
    return { epoch, revision: changes.length };
  };
  const find = (workspaceId: string, q = 'word') =>
    indexes.find(workspaceId, stateOf(workspaceId), { q, limit: 10_000, group: null, before: null });

  return {
    indexes,
    clock,
    reads,
    faults,
    /** The workspaces that warnings name. */
    logged,
    /** Blocks reads until the returned function is called. */
    holdReads() {
      const { promise, resolve } = Promise.withResolvers<void>();
      reading = promise;
      return resolve;
    },
    find,
    /** Adds live records that say `word`. */
    write(workspaceId: string, count: number, text = 'word') {
      const projection = projections.get(workspaceId) ?? { epoch: 'first', changes: [] };
      projections.set(workspaceId, projection);
      for (let i = 0; i < count; i += 1) {
        const id = `${workspaceId}-${projection.changes.length}`;
        const position = 1_000 + projection.changes.length;
        const payload = JSON.stringify({ fields: [['title', text]], shown: { title: text } });
        const row = { id, parent_id: null, position, payload, folded: text };
        projection.changes.push({ kind: 'decision', id, row });
      }
    },
    remove(workspaceId: string, id: string) {
      projections.get(workspaceId)!.changes.push({ kind: 'decision', id, row: null });
    },
    /** The state of the store after the workspace was deleted. */
    forget: (workspaceId: string) => projections.delete(workspaceId),
    renew(workspaceId: string) {
      projections.set(workspaceId, { epoch: 'second', changes: [] });
    },
    /** Waits until the index is built and returns its first answer. */
    built: (workspaceId: string) =>
      eventually(async () => {
        const found = await find(workspaceId);
        if (!found) throw new Error('not built yet');
        return found;
      }),
  };
}

const countOf = (found: Found | null) => found?.decisions.hits.length ?? null;

describe('a replica’s index', () => {
  it('is built in the background of the first search, which scans', async () => {
    const { write, find, built } = stand();
    write('w', 3_000);
    expect(await find('w')).toBeNull();
    expect(countOf(await built('w'))).toBe(3_000);
  });

  it('answers for a workspace with no records yet, also when searches arrive at once', async () => {
    const { write, find, built } = stand();
    write('w', 0);
    expect(await Promise.all(Array.from({ length: 3 }, () => find('w')))).toContain(null);
    write('w', 1);
    expect(countOf(await built('w'))).toBe(1);
  });

  it('takes in missing changes before it answers', async () => {
    const { write, find, built, reads } = stand();
    write('w', 10);
    await built('w');
    write('w', 1_900);
    expect(countOf(await find('w'))).toBe(1_910);
    expect(reads).toEqual(['w after -1', 'w after 10']);
    expect(countOf(await find('w'))).toBe(1_910);
    expect(reads).toHaveLength(2);
  });

  it('finds a text once a record with it is written, and no longer once that record is deleted', async () => {
    const { write, remove, find, built } = stand();
    write('w', 10);
    await built('w');
    expect(countOf(await find('w', 'ωψχ'))).toBe(0);
    write('w', 1, 'ωψχ');
    expect(countOf(await find('w', 'ωψχ'))).toBe(1);
    remove('w', 'w-10');
    expect(countOf(await find('w', 'ωψχ'))).toBe(0);
    expect(countOf(await find('w'))).toBe(10);
  });

  it('lets a search scan when it lacks many changes, and catches up in the background', async () => {
    const { write, find, built } = stand();
    write('w', 10);
    await built('w');
    write('w', 5_000);
    expect(await find('w')).toBeNull();
    expect(countOf(await built('w'))).toBe(5_010);
  });

  it('is rebuilt when the projection was rebuilt', async () => {
    const { write, renew, find, built } = stand();
    write('w', 10);
    await built('w');
    renew('w');
    write('w', 3);
    expect(await find('w')).toBeNull();
    expect(countOf(await built('w'))).toBe(3);
  });

  it('is dropped for a minute when it cannot be kept current', async () => {
    const { write, find, built, clock, faults, indexes } = stand();
    write('w', 10);
    await built('w');
    write('w', 1);
    faults.push(new Error('the store is away'));
    expect(await find('w')).toBeNull();
    expect(indexes.count()).toBe(0);
    clock.nowMs += 59_000;
    expect(await find('w')).toBeNull();
    expect(indexes.count()).toBe(0);
    clock.nowMs += 2_000;
    expect(countOf(await built('w'))).toBe(11);
  });

  it('is named in the log when it is dropped, each of several', async () => {
    const { write, find, built, faults, logged } = stand();
    for (const workspaceId of ['one', 'other']) {
      write(workspaceId, 10);
      await built(workspaceId);
      write(workspaceId, 1);
      faults.push(new Error('the store is away'));
      expect(await find(workspaceId)).toBeNull();
    }
    expect(logged).toEqual(['one', 'other']);
  });

  it('lets a search scan when missing changes do not arrive in time, and has them later', async () => {
    const { write, find, built, holdReads, indexes } = stand({ waitMs: 1 });
    write('w', 10);
    await built('w');
    write('w', 1);
    const read = holdReads();
    expect(await find('w')).toBeNull();
    read();
    expect(countOf(await built('w'))).toBe(11);
    expect(indexes.count()).toBe(1);
  });

  it('keeps no search waiting for missing changes after a stop', async () => {
    const { write, find, built, indexes } = stand();
    write('w', 10);
    await built('w');
    write('w', 1);
    const found = find('w');
    await indexes.stop();
    expect([null, 11]).toContain(countOf(await found));
    expect(await find('w')).toBeNull();
  });

  it('is dropped when it is the least recently used and the files are too large', async () => {
    const { write, find, built, clock, indexes } = stand({ maxBytes: 5 * MEBIBYTE });
    for (const workspaceId of ['a', 'b', 'c']) {
      write(workspaceId, 500);
      await built(workspaceId);
      clock.nowMs += 61_000;
    }
    await find('a');
    clock.nowMs += 61_000;
    write('d', 4_000, `word ${'text '.repeat(40)}`);
    expect(countOf(await built('d'))).toBe(4_000);
    expect(indexes.bytes()).toBeLessThanOrEqual(5 * MEBIBYTE);
    expect(await find('b')).toBeNull();
  });

  it('is dropped when many small indexes take too much memory', async () => {
    const { write, built, clock, indexes } = stand({ maxMemoryBytes: 16 * MEBIBYTE });
    for (let i = 0; i < 12; i += 1) {
      write(`w${i}`, 10);
      expect(countOf(await built(`w${i}`))).toBe(10);
      clock.nowMs += 61_000;
    }
    expect(indexes.count()).toBeGreaterThan(1);
    expect(indexes.count()).toBeLessThanOrEqual(6);
  });

  it('is dropped with its workspace, or when unused for a day', async () => {
    const { write, forget, built, clock, indexes } = stand();
    for (const workspaceId of ['deleted', 'idle', 'used']) {
      write(workspaceId, 10);
      await built(workspaceId);
    }
    forget('deleted');
    await indexes.sweep();
    expect(indexes.count()).toBe(2);
    clock.nowMs += 25 * 3_600_000;
    await built('used');
    await indexes.sweep();
    expect(indexes.count()).toBe(1);
    expect(countOf(await built('used'))).toBe(10);
  });

  it('is not built at the cost of indexes in use', async () => {
    const { write, find, built, clock, indexes } = stand({ maxBytes: 3 * MEBIBYTE });
    write('a', 500);
    await built('a');
    write('b', 20_000, `word ${'text '.repeat(40)}`);
    expect(await find('b')).toBeNull();
    await eventually(() => indexes.count() === 1);
    expect(await find('b')).toBeNull();
    expect(['a', 'b'].map(indexes.isTooLarge)).toEqual([false, true]);
    clock.nowMs += 600_000;
    expect(indexes.isTooLarge('b')).toBe(false);
    expect(countOf(await find('a'))).toBe(500);
  });
});
