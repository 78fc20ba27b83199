import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@waymark/contracts';
import { eventually, keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { type Held, type Stand, startStand } from './transfer-stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await startStand();
});
afterAll(() => stand.stop());

const keyOf = ({ id }: Held) => keyPrincipal({ workspace_id: id, scopes: ['read'] });
const exported = ({ id: workspaceId }: { id: string }, principal: Principal | null) =>
  stand.call(principal, 'GET', '/export', { query: { workspaceId } });
const eventsOf = ({ id }: Held) => stand.events.filter((event) => event.workspace_id === id);
const several = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${name}${i}` }));

describe('GET /export', () => {
  it('is one document of every collection, page after page, as of one moment', async () => {
    const rows = { decisions: several('d', 5), nodes: several('n', 2), messages: several('m', 1) };
    const held = stand.hold(rows);
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
        history: 0,
        links: 0,
        threads: 0,
        messages: 1,
      },
      workflows: [],
      edges: [],
      outcomes: [],
      history: [],
      links: [],
      threads: [],
      ...rows,
    });
    expect([...held.moments]).toEqual(['7']);
  });

  it('is told to the audit log once', async () => {
    const held = stand.hold();
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

  it('breaks the connection when a service fails half-way', async () => {
    const held = stand.hold({ decisions: several('d', 9) });
    held.breaksAtPage = 6;
    await expect(exported(held, keyOf(held))).rejects.toThrow(/cut off|aborted|hang up/);
  });

  it('reads no pages of what is empty', async () => {
    const held = stand.hold({ decisions: several('d', 3) });
    expect((await exported(held, keyOf(held))).body.counts.decisions).toBe(3);
    // Three decisions in pages of two, and the empty page that is the end.
    expect(held.pagesRead).toBe(3);
  });

  it('asks for many small rows at once, and for few large ones', async () => {
    const large = { text: 'x'.repeat(40_000) };
    const [small, big] = [several('s', 3), several('l', 3).map((row) => ({ ...row, ...large }))];
    const held = stand.hold({ decisions: small, nodes: big });
    expect((await exported(held, keyOf(held))).status).toBe(200);
    expect(held.limits.toSorted((a, b) => a - b)).toEqual([6, 6, 100, 100, 1_000, 1_000]);
  });

  it('reads no further than a client that does not read', async () => {
    const text = 'x'.repeat(100_000);
    const held = stand.hold({ decisions: several('d', 600).map((row) => ({ ...row, text })) });
    const response = await stand.stream(keyOf(held), `/export?workspaceId=${held.id}`);
    response.pause();
    let before = -1;
    await eventually(async () => {
      const settled = held.pagesRead > 0 && held.pagesRead === before;
      before = held.pagesRead;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return settled;
    });
    expect(held.pagesRead).toBeLessThan(150);
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(600 * text.length);
  });

  it('is 503 when a service is away from the start, and leaves no audit entry', async () => {
    const held = stand.hold();
    held.isAway = true;
    const { status, body } = await exported(held, keyOf(held));
    expect([status, body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await stand.database.collection('outbox').countDocuments({ payload: { $regex: held.id } })).toBe(
      0,
    );
  });

  it('is 404 for a workspace that is gone', async () => {
    const key = keyPrincipal();
    const { status, body } = await exported({ id: key.workspace_id }, key);
    expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
  });

  it('refuses callers of another workspace, without a trace', async () => {
    const held = stand.hold();
    expect((await exported(held, keyPrincipal())).body.error).toBe('WORKSPACE_MISMATCH');
    expect((await exported(held, sessionPrincipal())).body.error).toBe('FORBIDDEN');
    expect((await exported(held, null)).status).toBe(401);
    const rows = stand.database.collection('outbox');
    expect(await rows.countDocuments({ payload: { $regex: held.id } })).toBe(0);
    expect(held.pagesRead).toBe(0);
  });
});
