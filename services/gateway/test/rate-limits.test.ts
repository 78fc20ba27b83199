import { describe, expect, it } from '@jest/globals';
import { newId } from '@waymark/contracts';
import { eventually } from '@waymark/testing';
import { useStand } from './stand.ts';

const stand = useStand({ env: { RATE_WINDOW_SECONDS: '1' } });

describe('GET /rate-limits', () => {
  it('shows the use of both tiers and of the caller, in the current window and in past ones', async () => {
    const workspaceId = newId();
    const keys = [1, 2].map(() => stand.accounts.createKey({ workspace_id: workspaceId }));
    const admin = stand.accounts.createSession();
    stand.accounts.join(admin.userId, { workspace_id: workspaceId, role: 'admin' });
    const read = async (query: Record<string, string> = {}) =>
      (await stand.call('GET', '/rate-limits', { ...admin, query: { workspaceId, ...query } })).body;
    for (const { key } of [keys[0]!, keys[0]!, keys[1]!]) await stand.call('GET', '/whoami', { key });
    const total = (use: { used: number; past: { used: number }[] }) =>
      use.past.reduce((sum, { used }) => sum + used, use.used);
    const keyId = keys[0]!.principal.key_id;
    const first = await read({ keyId });
    expect(first).toMatchObject({ plan: 'business', window_seconds: 1 });
    expect([total(first.workspace.read), total(first.key.read)]).toEqual([3, 2]);
    expect([first.workspace.read.limit, first.key.read.limit, first.workspace.export.limit]).toEqual([
      300, 100, 30,
    ]);
    expect(total(first.session.read)).toBe(1);
    // The first request of a later window adds the count of the last window to the past ones.
    await eventually(async () => {
      await stand.call('GET', '/whoami', { key: keys[0]!.key });
      const { workspace } = await read();
      expect(workspace.read.past.length).toBeGreaterThan(0);
      expect(workspace.read.past.at(-1).at < first.resets_at).toBe(true);
    });
  });

  it('shows nothing of another workspace’s key, and requires an admin', async () => {
    const other = stand.accounts.createKey();
    await stand.call('GET', '/whoami', other);
    const workspaceId = newId();
    const admin = stand.accounts.createSession();
    stand.accounts.join(admin.userId, { workspace_id: workspaceId, role: 'admin' });
    const query = { workspaceId, keyId: other.principal.key_id };
    const { body } = await stand.call('GET', '/rate-limits', { ...admin, query });
    expect(body.key.read).toMatchObject({ used: 0, past: [] });
    const member = stand.accounts.createSession();
    stand.accounts.join(member.userId, { workspace_id: workspaceId, role: 'member' });
    expect((await stand.call('GET', '/rate-limits', { ...member, query })).status).toBe(403);
  });
});
