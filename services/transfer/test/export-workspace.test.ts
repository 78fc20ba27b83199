import { afterAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@waymark/contracts';
import { eventually, keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { type Held, startTransferStack } from './transfer-stack.ts';

const stack = await startTransferStack();
afterAll(() => stack.stop());

const keyOf = ({ id }: Held) => keyPrincipal({ workspace_id: id, scopes: ['read'] });
const exported = ({ id: workspaceId }: { id: string }, principal: Principal | null) =>
  stack.call(principal, 'GET', '/export', { query: { workspaceId } });
const eventsOf = ({ id }: Held) => stack.events.filter((event) => event.workspace_id === id);
const several = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${name}${i}` }));

describe('GET /export', () => {
  it('returns one document with every collection, in pages, at one moment', async () => {
    const rows = { decisions: several('d', 5), nodes: several('n', 2), messages: several('m', 1) };
    const held = stack.hold(rows);
    const { status, headers, body } = await exported(held, keyOf(held));
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(headers['content-disposition']).toBe(`attachment; filename="workspace-${held.id}.json"`);
    expect(body).toEqual({
      schema_version: 1,
      exported_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      workspace: { id: held.id, name: 'A workspace' },
      counts: {
        workflows: 0,
        nodes: 2,
        edges: 0,
        decisions: 5,
        outcomes: 0,
        approvals: 0,
        forecasts: 0,
        history: 0,
        links: 0,
        threads: 0,
        messages: 1,
        approval_rules: 0,
      },
      workflows: [],
      edges: [],
      outcomes: [],
      approvals: [],
      forecasts: [],
      history: [],
      links: [],
      threads: [],
      approval_rules: [],
      ...rows,
    });
    expect([...held.moments]).toEqual(['7']);
  });

  it('writes one audit entry', async () => {
    const held = stack.hold();
    const key = keyOf(held);
    expect((await exported(held, key)).status).toBe(200);
    await eventually(() => expect(eventsOf(held)).toHaveLength(1));
    expect(eventsOf(held)[0]).toMatchObject({
      type: 'workspace.exported',
      action: 'workspace.export',
      actor: { id: key.key_id },
      subject: { type: 'workspace', id: held.id },
      data: {},
    });
  });

  it('closes the connection when a service fails during the export', async () => {
    const held = stack.hold({ decisions: several('d', 9) });
    held.breaksAtPage = 6;
    await expect(exported(held, keyOf(held))).rejects.toThrow(/cut off|aborted|hang up/);
  });

  it('reads no pages of empty collections', async () => {
    const held = stack.hold({ decisions: several('d', 3) });
    expect((await exported(held, keyOf(held))).body.counts.decisions).toBe(3);
    // Three decisions in pages of two, and a final empty page.
    expect(held.pagesRead).toBe(3);
  });

  it('requests many small rows per page, and few large ones', async () => {
    const large = { text: 'x'.repeat(40_000) };
    const [small, big] = [several('s', 3), several('l', 3).map((row) => ({ ...row, ...large }))];
    const held = stack.hold({ decisions: small, nodes: big });
    expect((await exported(held, keyOf(held))).status).toBe(200);
    expect(held.limits.toSorted((a, b) => a - b)).toEqual([6, 6, 100, 100, 1_000, 1_000]);
  });

  it('stops reading while the client does not read', async () => {
    const text = 'x'.repeat(100_000);
    const held = stack.hold({ decisions: several('d', 250).map((row) => ({ ...row, text })) });
    const response = await stack.stream(keyOf(held), `/export?workspaceId=${held.id}`);
    response.pause();
    let before = -1;
    await eventually(async () => {
      const settled = held.pagesRead > 0 && held.pagesRead === before;
      before = held.pagesRead;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return settled;
    });
    expect(held.pagesRead).toBeLessThan(100);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(250 * text.length);
  });

  it('returns 503 when a service is unavailable at the start, and writes no audit entry', async () => {
    const held = stack.hold();
    held.isAway = true;
    const { status, body } = await exported(held, keyOf(held));
    expect([status, body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await stack.database.collection('outbox').countDocuments({ payload: { $regex: held.id } })).toBe(
      0,
    );
  });

  it('returns 404 for a deleted workspace', async () => {
    const key = keyPrincipal();
    const { status, body } = await exported({ id: key.workspace_id }, key);
    expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
  });

  it('refuses callers of another workspace and writes no audit entry', async () => {
    const held = stack.hold();
    expect((await exported(held, keyPrincipal())).body.error).toBe('WORKSPACE_MISMATCH');
    expect((await exported(held, sessionPrincipal())).body.error).toBe('FORBIDDEN');
    expect((await exported(held, null)).status).toBe(401);
    const rows = stack.database.collection('outbox');
    expect(await rows.countDocuments({ payload: { $regex: held.id } })).toBe(0);
    expect(held.pagesRead).toBe(0);
  });
});
