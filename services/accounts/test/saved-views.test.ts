import { describe, expect, it } from '@jest/globals';
import { limits, newId } from '@waymark/contracts';
import { type Person, statusesOf, traced, useAccounts } from './accounts.ts';

const accounts = await useAccounts();

type Caller = Pick<Person, 'call'>;

/** A workspace with an owner, a member and a viewer. */
async function team() {
  const owner = await accounts.signUp();
  const { workspaceId } = owner;
  const [member, viewer] = [await accounts.join(owner, 'member'), await accounts.join(owner, 'viewer')];
  const place = { workspaceId, kind: 'decisions' };
  return {
    ...{ owner, member, viewer, workspaceId },
    create: (by: Caller, body: object = {}, headers: Record<string, string> = {}) =>
      by.call('POST', '/views', { body: { ...place, name: 'Mine', ...body }, headers }),
    list: async (by: Caller) => (await by.call('GET', '/views', { query: place })).body,
    arrange: (by: Caller, body: object) =>
      by.call('PATCH', '/views/settings', { body: { ...place, ...body } }),
  };
}
const change = (by: Caller, id: string, body: object, headers: Record<string, string> = {}) =>
  by.call('PATCH', `/views/${id}`, { body, headers });
const remove = (by: Caller, id: string, headers: Record<string, string> = {}) =>
  by.call('DELETE', `/views/${id}`, { headers });
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

describe('POST /views', () => {
  it('keeps a private view for its owner, without an event', async () => {
    const { viewer, owner, workspaceId, create, list } = await team();
    const { requestId, headers } = traced();
    const query = { status: ['accepted'], tags: ['a,b', 'c'], createdFrom: '2026-01-01', sort: '-title' };
    const view = await create(viewer, { query, columns: ['author'] }, headers);
    expect([view.status, view.body]).toEqual([
      201,
      {
        ...{ id: expect.any(String), workspace_id: workspaceId, owner_id: viewer.userId, kind: 'decisions' },
        ...{ name: 'Mine', columns: ['author'], shared: false },
        query: { status: ['accepted'], tags: ['a,b', 'c'], created_from: '2026-01-01', sort: '-title' },
        ...{ created_at: expect.any(String), updated_at: view.body.created_at },
      },
    ]);
    expect((await list(viewer)).data).toEqual([view.body]);
    expect((await list(owner)).data).toEqual([]);
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
  });

  it('shows a shared view to everyone, with one event; a viewer cannot share', async () => {
    const { owner, member, viewer, workspaceId, create, list } = await team();
    const { requestId, headers } = traced();
    const view = (await create(member, { shared: true }, headers)).body;
    expect((await list(viewer)).data).toEqual([view]);
    expect(await accounts.eventsAfter(requestId)).toMatchObject([
      {
        ...{ type: 'view.shared', action: 'view.share', workspace_id: workspaceId, data: view },
        subject: { type: 'view', id: view.id, version: 1 },
      },
    ]);
    expect((await create(viewer, { shared: true })).body).toMatchObject({ error: 'FORBIDDEN' });
    const ofAddress = { kind: 'audit_log', query: { ip: '192.0.2.1' } };
    expect((await create(owner, ofAddress)).status).toBe(201);
    const { body } = await create(owner, { ...ofAddress, shared: true });
    expect(body.issues).toMatchObject([{ path: 'query.ip' }]);
  });

  it('refuses unknown filters, columns and lists', async () => {
    const { owner, create } = await team();
    for (const body of [
      ...[{ query: { colour: 'red' } }, { query: { status: ['open'] } }, { query: { tags: [] } }],
      ...[{ query: { createdFrom: 'today' } }, { columns: ['size'] }, { kind: 'nodes' }],
    ])
      expect([body, (await create(owner, body)).body.error]).toEqual([body, 'VALIDATION_ERROR']);
  });

  it('keeps the filters of each list apart', async () => {
    const { owner, create, list } = await team();
    const ofAudit = { kind: 'audit_log', query: { action: 'decision.update', createdTo: '2026-02-01' } };
    const { status, body } = await create(owner, ofAudit);
    expect([status, body.query]).toEqual([201, { action: 'decision.update', created_to: '2026-02-01' }]);
    expect((await list(owner)).data).toEqual([]);
    const issues = [{ path: 'query.text' }];
    const refused = { error: 'VALIDATION_ERROR', issues };
    expect((await create(owner, { ...ofAudit, query: { text: 'a' } })).body).toMatchObject(refused);
    expect((await change(owner, body.id, { query: { text: 'a' } })).body).toMatchObject(refused);
    expect((await create(owner, { query: ofAudit.query })).body.error).toBe('VALIDATION_ERROR');
  });

  it('stops at the limits of a person and of the workspace', async () => {
    const { owner, member, create } = await team();
    const stored = accounts.database.collection<{ _id: string }>('saved_views');
    for (const [shared, max] of [
      [false, limits.viewsPerUser],
      [true, limits.sharedViewsPerWorkspace],
    ] as const) {
      const { id } = (await create(owner, { shared })).body;
      const record = (await stored.findOne({ _id: id }))!;
      await stored.insertMany(Array.from({ length: max - 2 }, () => ({ ...record, _id: newId() })));
      const both = await Promise.all([create(owner, { shared }), create(owner, { shared })]);
      expect(statusesOf(both)).toEqual([201, 409]);
      expect((await create(member, { shared })).status).toBe(shared ? 409 : 201);
    }
    const { id } = (await create(member)).body;
    expect((await change(member, id, { shared: true })).body.error).toBe('LIMIT_EXCEEDED');
  });
});

describe('PATCH and DELETE /views/{id}', () => {
  it('are for the owner of a private view only', async () => {
    const { owner, member, create, list } = await team();
    const { id } = (await create(member)).body;
    for (const by of [owner, await accounts.signUp()]) {
      const refused = [await change(by, id, { name: 'Ours' }), await remove(by, id)];
      expect(refused.map(({ status }) => status)).toEqual(by === owner ? [404, 404] : [403, 403]);
    }
    const { requestId, headers } = traced();
    expect((await change(member, id, { name: 'Ours' }, headers)).body).toMatchObject({ name: 'Ours' });
    expect(await accounts.eventsAfter(requestId)).toEqual([]);
    expect((await remove(member, id)).status).toBe(204);
    expect(idsOf(await list(member))).toEqual([]);
  });

  it('are for the owner and admins of a shared view, and only its owner ends the sharing', async () => {
    const { owner, member, viewer, create, list } = await team();
    const { id } = (await create(member, { shared: true })).body;
    for (const by of [viewer, await accounts.join(owner, 'member')])
      expect(statusesOf([await change(by, id, { name: 'x' }), await remove(by, id)])).toEqual([403, 403]);
    expect((await change(owner, id, { columns: [] })).status).toBe(200);
    expect((await change(owner, id, { shared: false })).body.error).toBe('FORBIDDEN');
    const { requestId, headers } = traced();
    expect((await change(member, id, { shared: false }, headers)).body.shared).toBe(false);
    expect(await accounts.eventsAfter(requestId)).toMatchObject([
      {
        ...{ type: 'view.unshared', action: 'view.unshare', subject: { id, version: 3 } },
        changes: { name: { before: 'Mine', after: null }, shared: { before: true, after: null } },
      },
    ]);
    expect(idsOf(await list(owner))).toEqual([]);
    await change(member, id, { shared: true });
    const deletion = traced();
    expect((await remove(owner, id, deletion.headers)).status).toBe(204);
    expect(await accounts.eventsAfter(deletion.requestId)).toMatchObject([{ type: 'view.unshared' }]);
  });

  it('are not for an owner who is a viewer now', async () => {
    const { owner, member, create } = await team();
    const { id } = (await create(member, { shared: true })).body;
    await owner.call('PATCH', `/members/${member.memberId}`, { body: { role: 'viewer' } });
    expect((await change(member, id, { name: 'x' })).body.error).toBe('FORBIDDEN');
  });
});

describe('PATCH /views/settings', () => {
  it('keeps what is given for each person, and forgets views that are gone', async () => {
    const { member, viewer, create, list, arrange } = await team();
    const { id } = (await create(member, { shared: true })).body;
    const own = (await create(viewer)).body.id;
    expect((await list(viewer)).settings).toEqual({
      ...{ kind: 'decisions', default_view_id: null, favourite_ids: [] },
      columns: ['status', 'outcome', 'quality', 'expected', 'author', 'created'],
    });
    await arrange(viewer, { columns: ['status'] });
    const arranged = await arrange(viewer, { defaultViewId: id, favouriteIds: [own, id] });
    const settings = { kind: 'decisions', columns: ['status'] };
    const marked = { ...settings, default_view_id: id, favourite_ids: [own, id] };
    expect([arranged.status, arranged.body]).toEqual([200, marked]);
    expect((await list(viewer)).settings).toEqual(marked);
    expect((await list(member)).settings).toMatchObject({ default_view_id: null, favourite_ids: [] });
    await change(member, id, { shared: false });
    expect((await list(viewer)).settings).toEqual({
      ...{ ...settings, default_view_id: null, favourite_ids: [own] },
    });
  });

  it('refuses a view of somebody else', async () => {
    const { owner, member, create, arrange } = await team();
    const { id } = (await create(member)).body;
    for (const body of [{ defaultViewId: id }, { favouriteIds: [id] }])
      expect((await arrange(owner, body)).body).toMatchObject({ issues: [{ path: Object.keys(body)[0] }] });
  });
});

it('a member who leaves takes private views and settings along, and a deleted workspace all', async () => {
  const { owner, member, workspaceId, create, list, arrange } = await team();
  await create(member);
  await arrange(member, { columns: [] });
  const { id } = (await create(member, { shared: true })).body;
  expect((await member.call('DELETE', `/members/${member.memberId}`)).status).toBe(204);
  await accounts.addMember(owner, member, 'member');
  expect(await list(member)).toMatchObject({ data: [{ id }], settings: { columns: { length: 6 } } });
  await arrange(member, { columns: [] });
  expect((await owner.call('DELETE', `/workspaces/${workspaceId}`)).status).toBe(204);
  for (const name of ['saved_views', 'list_settings'])
    expect(await accounts.database.collection(name).countDocuments({ workspace_id: workspaceId })).toBe(0);
});
