import { describe, expect, it } from '@jest/globals';
import type { AuditHead } from '@waymark/contracts';
import { newSigningKeys } from '../../test/sample-chain.ts';
import { signHead } from '../chain/signing.ts';
import type { HeadCopies } from './head-copies.ts';
import { trustedHeads } from './trusted-heads.ts';

const keys = newSigningKeys();
const chain = 'chain';
const hashOf = (branch: string, seq: number) => `${branch}${seq}`;
const head = (seq: number, branch = 'a') => signHead({ chain, seq, hash: hashOf(branch, seq) }, keys);

/** A database and NATS with one chain, and several processes that append to it. */
function start() {
  const stored = { head: head(3), branch: 'a' };
  const copied = { head: head(3), revision: 1 };
  const store = {
    head: async () => stored.head,
    hashAt: async (_: string, seq: number) => hashOf(seq > 3 ? stored.branch : 'a', seq),
    checkpoint: async () => null,
    hasAfter: async () => false,
  };
  const copies = {
    read: async () => ({ chain, isDeleted: false, ...copied }),
    async write(next: AuditHead, revision: number) {
      if (revision !== copied.revision) return null;
      Object.assign(copied, { head: next, revision: revision + 1 });
      return copied.revision;
    },
  } as unknown as HeadCopies;
  const commit = (next: AuditHead, branch = 'a') => Object.assign(stored, { head: next, branch });
  return { commit, copied, process: () => trustedHeads(store, copies, keys) };
}

describe('trusted heads', () => {
  it('are verified once, then those that were written', async () => {
    const { commit, copied, process } = start();
    const heads = process();
    expect(heads.isTrusted(chain, head(3))).toBe(false);
    expect(await heads.inspect(chain)).toMatchObject({ fault: null });
    expect(heads.isTrusted(chain, head(3))).toBe(true);
    commit(head(4));
    expect(await heads.committed([head(4)])).toEqual(new Map());
    expect(copied).toEqual({ head: head(4), revision: 2 });
    expect(heads.isTrusted(chain, head(4))).toBe(true);
    expect(heads.isTrusted(chain, head(3))).toBe(false);
    expect(heads.isTrusted(chain, null)).toBe(false);
  });

  it('of processes that take turns end in the copy of the last one', async () => {
    const { commit, copied, process } = start();
    const [one, two] = [process(), process()];
    await Promise.all([one.inspect(chain), two.inspect(chain)]);
    for (const [seq, heads] of [one, two, two, one, two].entries()) {
      expect(heads.isTrusted(chain, head(seq + 3))).toBe(true);
      commit(head(seq + 4));
      expect(await heads.committed([head(seq + 4)])).toEqual(new Map());
    }
    expect(copied.head.seq).toBe(8);
  });

  it.each([
    ['shorter than', 4, 'older'],
    ['as long as', 8, 'invalid'],
    ['longer than', 15, 'invalid'],
  ])(
    'do not hide that MongoDB was set back behind the memory of a process: a chain %s the lost one',
    async (_, seq, reason) => {
      const { commit, process } = start();
      const [one, two] = [process(), process()];
      await Promise.all([one.inspect(chain), two.inspect(chain)]);
      commit(head(8));
      await two.committed([head(8)]);
      commit(head(3));
      expect(one.isTrusted(chain, head(3))).toBe(true);
      commit(head(seq, 'b'), 'b');
      expect((await one.committed([head(seq, 'b')])).get(chain)).toMatchObject({ reason });
    },
  );
});
