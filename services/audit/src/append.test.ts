import { describe, expect, it } from '@jest/globals';
import { newSigningKeys } from '../test/sample-chain.ts';
import { sampleEvents } from '../test/sample-event.ts';
import { createAppender } from './append.ts';
import type { TrustedHeads } from './heads/trusted-heads.ts';
import type { AuditStore } from './store/index.ts';

const keys = newSigningKeys();

/** A store that only counts the entries of each transaction. The test ends each pause of the appender. */
function start() {
  const transactions: number[] = [];
  const pauses: (() => void)[] = [];
  const store = {
    async append(chains: string[], seal: Parameters<AuditStore['append']>[1]) {
      transactions.push(chains.reduce((sum, chain) => sum + seal(chain, null).entries.length, 0));
      return [];
    },
    knownIds: async () => [],
    stoppedAmong: async () => new Set<string>(),
  } satisfies Pick<AuditStore, 'append' | 'knownIds' | 'stoppedAmong'>;
  const heads = {
    isKnown: () => true,
    isTrusted: () => true,
    committed: async () => new Map(),
  } satisfies Partial<TrustedHeads>;
  const workspaces = { deletedAmong: async () => new Set<string>() };
  const wait = () => new Promise<void>((resolve) => pauses.push(resolve));
  return { transactions, pauses, ...createAppender({ store, heads, keys, workspaces } as never, wait) };
}

describe('append', () => {
  it('appends a single event at once, and the events that follow soon in one transaction', async () => {
    const { transactions, pauses, append } = start();
    const [first, ...others] = sampleEvents(6);
    await append(first!);
    expect(transactions).toEqual([1]);
    const appended = Promise.all(others.map((event) => append(event)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(transactions).toEqual([1]);
    pauses[0]!();
    await appended;
    expect(transactions).toEqual([1, 5]);
  });

  it('does not wait when there are enough events to fill a transaction', async () => {
    const { transactions, append } = start();
    await Promise.all(sampleEvents(501).map((event) => append(event)));
    expect(transactions).toEqual([1, 250, 250]);
  });
});
