import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { startSuite } from './suite.ts';

const suite = startSuite();

describe('GET /decisions/{id}', () => {
  it('returns the record with its version as ETag, to keys and members', async () => {
    const key = keyPrincipal();
    const decision = await suite.create(key, { title: 'Read me' });
    const viewer = sessionPrincipal({ workspaceId: key.workspace_id, role: 'viewer' });
    for (const principal of [
      key,
      viewer,
      keyPrincipal({ workspace_id: key.workspace_id, scopes: ['read'] }),
    ]) {
      const answer = await suite.get(principal, `/decisions/${decision.id}`);
      expect([answer.status, answer.headers['etag'], answer.body]).toEqual([200, '"v1"', decision]);
    }
  });

  it('returns 304 while the caller has the current version', async () => {
    const key = keyPrincipal();
    const { id } = await suite.create(key);
    const read = (etag: string) =>
      suite.call(key, 'GET', `/decisions/${id}`, {
        query: { workspaceId: key.workspace_id },
        headers: { 'if-none-match': etag },
      });
    const unchanged = await read('"v1"');
    expect([unchanged.status, unchanged.text, unchanged.headers['etag']]).toEqual([304, '', '"v1"']);
    await suite.patch(key, id, { title: 'Changed' });
    expect((await read('"v1"')).body.title).toBe('Changed');
  });

  it('returns 404 for an unknown id, 400 for an invalid id or an unknown parameter', async () => {
    const key = keyPrincipal();
    const nowhere = await suite.get(key, `/decisions/${newId()}`);
    expect([nowhere.status, nowhere.body.error]).toEqual([404, 'NOT_FOUND']);
    expect((await suite.get(key, '/decisions/nonsense')).body.issues[0].path).toBe('id');
    expect((await suite.get(key, `/decisions/${newId()}`, { fields: 'id' })).status).toBe(400);
  });
});
