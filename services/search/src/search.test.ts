import { expect, it } from '@jest/globals';
import { ApiError, cursorCodec, newId } from '@waymark/contracts';
import type { Access } from '@waymark/service-kit/http';
import { keyPrincipal } from '@waymark/testing';
import { NOTHING_FOUND } from './query/find-hits.ts';
import { search } from './search.ts';

/** Searches while there is no index and the scan throws; then there is one if `thenBuilt`. */
function searchWithout(error: ApiError, thenBuilt: boolean) {
  let isBuilt = false;
  const answers: string[] = [];
  const service = {
    store: { scan: () => ({}) as never, end: () => Promise.reject(), titles: () => Promise.reject() },
    workspaces: { purge: () => Promise.reject() },
    revisions: { get: async () => ({ epoch: 'first', revision: 1 }) },
    indexes: {
      find: async () => (isBuilt ? NOTHING_FOUND : null),
      isTooLarge: () => false,
    },
    async scan(): Promise<never> {
      isBuilt = thenBuilt;
      throw error;
    },
    scanTimeoutMs: 1_000,
    cursors: cursorCodec('secret'),
    countAnswer: (source: string) => answers.push(source),
  };
  const ctx = {
    access: { workspaceId: newId() } as Access,
    principal: keyPrincipal(),
    clientAddress: null,
    deadlineMs: Number.POSITIVE_INFINITY,
    leaveEarly: () => undefined,
    gone: () => new AbortController().signal,
  };
  return { answers, found: search(service, ctx, { q: 'word', limit: 20 }) };
}

it('answers from the index that was built while a scan took too long', async () => {
  const { found, answers } = searchWithout(new ApiError('SERVICE_UNAVAILABLE'), true);
  await expect(found).resolves.toBeDefined();
  expect(answers).toEqual(['index']);
});

it('says that the caller has its share of the scans, instead of that an index is built', async () => {
  const { found, answers } = searchWithout(
    new ApiError('RATE_LIMITED', { reason: 'concurrency', message: 'Wait.', retryAfterSeconds: 1 }),
    false,
  );
  await expect(found).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(answers).toEqual(['none']);
});
