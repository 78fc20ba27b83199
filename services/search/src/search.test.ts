import { expect, it } from '@jest/globals';
import { ApiError, cursorCodec, newId } from '@waymark/contracts';
import type { Access } from '@waymark/service-kit/http';
import { keyPrincipal } from '@waymark/testing';
import { NOTHING_FOUND } from './query/find-hits.ts';
import { search } from './search.ts';

it('answers from the index that was built while a scan took too long', async () => {
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
      isBuilt = true;
      throw new ApiError('SERVICE_UNAVAILABLE');
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
  await expect(search(service, ctx, { q: 'word', limit: 20 })).resolves.toBeDefined();
  expect(answers).toEqual(['index']);
});
