import { describe, expect, it } from '@jest/globals';
import { ApiError, limits } from '@waymark/contracts';
import { streamShares } from './stream-shares.ts';

const { eventStreams: TOTAL, eventStreamsPerCaller: PER_KEY } = limits;

/** Opens streams with as many keys as the user needs, and returns the functions that release them. */
function takeAll({ reserve }: ReturnType<typeof streamShares>, workspaceId: string, userId: string) {
  const taken: (() => void)[] = [];
  try {
    for (;;) {
      const key = Math.floor(taken.length / PER_KEY);
      taken.push(reserve({ workspaceId, userId, credential: `${workspaceId} ${userId} ${key}` }));
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'RATE_LIMITED') throw error;
    return taken;
  }
}

describe('streamShares', () => {
  it('leaves streams to other users of the workspace, and three quarters to others', () => {
    const shares = streamShares();
    expect(takeAll(shares, 'workspace', 'ada')).toHaveLength(TOTAL / 4);
    expect(takeAll(shares, 'workspace', 'bob')).toHaveLength(TOTAL / 8);
    expect(takeAll(shares, 'another-workspace', 'eve').length).toBeGreaterThan(TOTAL / 8);
  });

  it('leaves half to others, however many users a workspace has or workspaces a user has', () => {
    for (const member of [
      (n: number) => ['workspace', `user-${n}`],
      (n: number) => [`workspace-${n}`, 'user'],
    ]) {
      const shares = streamShares();
      let taken = 0;
      for (let n = 0; n < 100; n += 1) taken += takeAll(shares, member(n)[0]!, member(n)[1]!).length;
      expect(taken).toBeLessThanOrEqual(TOTAL / 2);
      expect(takeAll(shares, 'another-workspace', 'eve').length).toBeGreaterThan(TOTAL / 8);
    }
  });

  it('gives back what is released', () => {
    const shares = streamShares();
    const taken = takeAll(shares, 'workspace', 'ada');
    for (const release of taken) release();
    expect(takeAll(shares, 'workspace', 'ada')).toHaveLength(taken.length);
  });
});
