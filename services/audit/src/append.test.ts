import { describe, expect, it } from '@jest/globals';
import { newSigningKeys } from '../test/sample-chain.ts';
import { sampleEvents } from '../test/sample-event.ts';
import { createAppender } from './append.ts';
import type { AuditStore } from './store/index.ts';

const keys = newSigningKeys();

/** A store that only notes how many entries each transaction had, and a pace that the test sets. */
function start() {
  const transactions: number[] = [];
  const paces: (() => void)[] = [];
  const store = {
    async append(chains: string[], seal: Parameters<AuditStore['append']>[1]) {
      transactions.push(chains.reduce((sum, chain) => sum + seal(chain, null).entries.length, 0));
    },
    knownIds: async () => [],
  } satisfies Pick<AuditStore, 'append' | 'knownIds'>;
  const purge = { deletedAmong: async () => new Set<string>() };
  const wait = () => new Promise<void>((resolve) => paces.push(resolve));
  return { transactions, paces, ...createAppender(store, keys, purge, wait) };
}

describe('append', () => {
  it('lets a lone event wait for nothing, and those that follow it soon share a transaction', async () => {
    const { transactions, paces, append } = start();
    const [first, ...others] = sampleEvents(6);
    await append(first!);
    expect(transactions).toEqual([1]);
    const appended = Promise.all(others.map((event) => append(event)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(transactions).toEqual([1]);
    paces[0]!();
    await appended;
    expect(transactions).toEqual([1, 5]);
  });

  it('lets nothing wait once there is enough for a whole transaction', async () => {
    const { transactions, append } = start();
    await Promise.all(sampleEvents(501).map((event) => append(event)));
    expect(transactions).toEqual([1, 250, 250]);
  });
});
