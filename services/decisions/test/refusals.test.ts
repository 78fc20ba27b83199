import { describe, expect, it } from '@jest/globals';
import { decisionOperations, type Operation } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();
const byId = (Object.values(decisionOperations) as Operation[]).filter(({ path }) => path.includes('{id}'));

describe.each(byId.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, { method, path, scope }) => {
    const body = method === 'PATCH' ? { body: { title: 'Mine now' } } : {};
    async function decision() {
      const owner = keyPrincipal();
      const { id } = await suite.create(owner);
      const call = (principal: Parameters<typeof suite.call>[0], workspaceId: string) =>
        suite.call(principal, method, path.replace('{id}', id), { query: { workspaceId }, ...body });
      return { owner, id, call };
    }

    it('refuses a key of another workspace, whichever workspace the request names', async () => {
      const { owner, id, call } = await decision();
      const stranger = keyPrincipal();
      for (const workspaceId of [owner.workspace_id, stranger.workspace_id]) {
        const answer = await call(stranger, workspaceId);
        expect([answer.status, answer.body.error]).toEqual([403, 'WORKSPACE_MISMATCH']);
        expect(answer.text).not.toContain('A choice');
      }
      expect((await suite.get(owner, `/decisions/${id}`)).body.version).toBe(1);
    });

    it('refuses a session of a non-member, whichever workspace the request names', async () => {
      const { owner, id, call } = await decision();
      const stranger = sessionPrincipal();
      for (const workspaceId of [owner.workspace_id, stranger.membership!.workspace_id]) {
        const answer = await call(stranger, workspaceId);
        expect([answer.status, answer.body.error]).toEqual([403, 'FORBIDDEN']);
      }
      expect((await suite.get(owner, `/decisions/${id}`)).body.version).toBe(1);
    });

    it('refuses an anonymous caller with 401, and lets a viewer only read', async () => {
      const { owner, id, call } = await decision();
      expect((await call(null, owner.workspace_id)).status).toBe(401);
      const viewer = sessionPrincipal({ workspaceId: owner.workspace_id, role: 'viewer' });
      const reader = keyPrincipal({ workspace_id: owner.workspace_id, scopes: ['read'] });
      const answers = [await call(viewer, owner.workspace_id), await call(reader, owner.workspace_id)];
      const errors = answers.map((answer) => answer.body?.error);
      expect(errors).toEqual(scope === 'read' ? [undefined, undefined] : ['FORBIDDEN', 'INSUFFICIENT_SCOPE']);
      expect((await suite.get(owner, `/decisions/${id}`)).body.version).toBe(1);
    });
  },
);
