import { describe, expect, it } from '@jest/globals';
import {
  type Approval,
  contentSha256,
  type Decision,
  newId,
  type Role,
  type SessionPrincipal,
} from '@waymark/contracts';
import {
  eventually,
  keyPrincipal,
  sampleDecision,
  servicePrincipal,
  sessionPrincipal,
} from '@waymark/testing';
import { startDecisions } from '../src/service.ts';
import { startSuite } from './suite.ts';

const suite = await startSuite();

/** Makes a workspace with people that accounts knows; `key` writes in it. */
function team() {
  const key = keyPrincipal();
  const join = (name: string, role: Role): SessionPrincipal => {
    const person = { ...sessionPrincipal({ workspaceId: key.workspace_id, role }), user_name: name };
    suite.people.set(person.user_id, { name, role });
    return person;
  };
  return { key, owner: join('Mira', 'owner'), admin: join('Jonas', 'admin'), member: join('Aiko', 'member') };
}

const setRules = (by: SessionPrincipal, ...rules: object[]) =>
  suite.send(by, 'PUT', '/approval-rules', { body: { rules } });
const enforced = (more: object = {}) => ({ approvals: 1, mode: 'enforced', ...more });
const decide = (by: SessionPrincipal, decision: Decision, body: object = {}) =>
  suite.send(by, 'POST', `/decisions/${decision.id}/approvals`, {
    body: { verdict: 'approve', contentSha256: contentSha256(decision), ...body },
  });
const standing = async (by: SessionPrincipal, { id }: Decision) =>
  (await suite.get(by, `/decisions/${id}/approvals`)).body;
const accept = (by: SessionPrincipal, { id }: Decision) => suite.patch(by, id, { status: 'accepted' });
const required = { status: 409, body: { error: 'APPROVAL_REQUIRED' } };

describe('PUT /approval-rules', () => {
  it('stores rules with their defaults, audited once; equal ones change nothing', async () => {
    const { owner, member } = team();
    const none = { workspace_id: owner.membership!.workspace_id, rules: [], version: 0 };
    expect((await suite.get(member, '/approval-rules')).body).toEqual(none);
    const defaults = { role: 'member', members: [], mode: 'advisory', author_counts: false };
    const rules = [{ decision_type: null, approvals: 2, ...defaults }];
    for (const _ of [1, 2])
      expect((await setRules(owner, { approvals: 2 })).body).toEqual({ ...none, rules, version: 1 });
    expect((await suite.get(member, '/approval-rules')).body.rules).toEqual(rules);
    await suite.eventsAbout(none.workspace_id, ['decision.approval_rules_updated']);
    const stale = { body: { rules: [] }, headers: { 'If-Match': '"v0"' } };
    expect((await suite.send(owner, 'PUT', '/approval-rules', stale)).status).toBe(412);
  });

  it('refuses two rules of a type, what nobody can meet, and strangers', async () => {
    const { owner, member } = team();
    const refused = async (rules: object[]) => (await setRules(owner, ...rules)).body.issues?.[0].path;
    expect(await refused([{ approvals: 1 }, { approvals: 2 }])).toBe('rules');
    expect(await refused([{ approvals: 0 }])).toBe('rules.0.approvals');
    expect(await refused([{ approvals: 2, members: [member.user_id] }])).toBe('rules');
    const low = { approvals: 1, members: [member.user_id], role: 'admin' };
    for (const rule of [{ approvals: 1, members: [newId()] }, low])
      expect(await refused([rule])).toBe('rules.0.members.0');
  });
});

describe('rules of an import', () => {
  const rule = { approvals: 1, role: 'admin', mode: 'enforced', author_counts: false, members: [] };
  const send = async (workspace_id: string, body: object) => {
    const all = { workspace_id, portion: newId(), ...body };
    const path = '/internal/imports/approval-rules';
    return (await suite.call(servicePrincipal('transfer'), 'POST', path, { body: all })).body;
  };

  it('are stored as by their importer: all, or none if one names who is not a member with its role', async () => {
    const { owner, admin, member } = team();
    const { workspace_id } = owner.membership!;
    const created_by = { type: 'session', id: owner.user_id, name: 'Mira' };
    const [fit, low, unknown] = [
      { ...rule, decision_type: null, members: [admin.user_id] },
      { ...rule, decision_type: 'law', members: [admin.user_id, member.user_id] },
      { ...rule, decision_type: 'art', members: [newId()] },
    ];
    const message = 'is not a member who is at least admin';
    const refused = [
      { path: '0', message: expect.stringContaining('another rule of the file') },
      { path: '1.members.1', message },
      { path: '2.members.0', message },
    ];
    const stored = async () => (await suite.get(owner, '/approval-rules')).body;
    const all = [fit, low, unknown];
    expect(await send(workspace_id, { rules: all, created_by })).toEqual({ stored: 0, refused });
    const later = { rules: [fit], created_by };
    expect(await send(workspace_id, { ...later, check_only: true })).toEqual({ stored: 1, refused: [] });
    expect(await stored()).toMatchObject({ rules: [], version: 0 });
    expect(await send(workspace_id, later)).toEqual({ stored: 1, refused: [] });
    expect(await stored()).toEqual({ workspace_id, rules: [fit], version: 1 });
    const [event] = await suite.eventsAbout(workspace_id, ['decision.approval_rules_updated']);
    expect(event).toMatchObject({ actor: created_by, action: 'workspace.approval_rules' });
    const again = await send(workspace_id, { rules: all, created_by });
    expect(again.refused.map(({ path }: { path: string }) => path)).toEqual(['1', '2']);
  });

  it('are left out when their importer has left or is no admin any more', async () => {
    const { owner, member } = team();
    const { workspace_id } = owner.membership!;
    const rule = {
      decision_type: null,
      approvals: 1,
      role: 'member',
      mode: 'enforced',
      author_counts: false,
    };
    for (const id of [newId(), member.user_id]) {
      const created_by = { type: 'session', id, name: 'Mira' };
      const body = { workspace_id, portion: newId(), rules: [{ ...rule, members: [] }], created_by };
      const path = '/internal/imports/approval-rules';
      const told = await suite.call(servicePrincipal('transfer'), 'POST', path, { body });
      const message = 'is left out: who began the import is no longer an admin or owner';
      expect(told.body).toEqual({ stored: 0, refused: [{ path: '0', message }] });
    }
    expect((await suite.get(owner, '/approval-rules')).body).toMatchObject({ rules: [], version: 0 });
  });
});

describe('an enforced rule', () => {
  it('refuses accepted until enough members have approved the present text, and names who is missing', async () => {
    const { key, owner, admin, member } = team();
    const members = [admin.user_id, member.user_id];
    await setRules(owner, enforced({ approvals: 2, members }));
    const decision = await suite.create(key, { title: 'A', status: 'proposed' });
    const refused = await accept(owner, decision);
    expect(refused).toMatchObject(required);
    expect(refused.body.message).toContain('Jonas, Aiko');
    await decide(admin, decision);
    await decide(owner, decision);
    expect((await accept(owner, decision)).body.issues).toEqual([
      { path: 'approvals', message: 'Aiko has not approved this text' },
    ]);
    await decide(member, decision);
    expect((await accept(owner, decision)).body.status).toBe('accepted');
  });

  it('holds for POST, PUT and batches, for its type only, and not for an advisory one', async () => {
    const { key, owner } = team();
    await setRules(owner, enforced({ decision_type: 'law' }), { approvals: 1, mode: 'advisory' });
    const law = { title: 'A law', decisionType: 'law', status: 'accepted' };
    expect(await suite.post(key, law)).toMatchObject(required);
    expect(await suite.send(key, 'PUT', '/decisions/by-external-id/x-1', { body: law })).toMatchObject(
      required,
    );
    const operations = [{ operation: 'createDecision', body: law }];
    const headers = { 'batch-size': '1' };
    const path = '/internal/batches/decisions';
    const batch = await suite.send(key, 'POST', path, { body: { operations }, headers });
    expect(batch.body.results[0]).toMatchObject({ status: 409, error: { error: 'APPROVAL_REQUIRED' } });
    const other = await suite.create(key, { ...law, decisionType: null });
    // Neither by a change of the type.
    expect(await suite.patch(key, other.id, { decisionType: 'law' })).toMatchObject(required);
    expect(await suite.count(key, 'decisions')).toBe(1);
  });

  it('lets the text of an accepted decision change only with its return to proposed', async () => {
    const { key, owner, member } = team();
    const decision = await suite.create(key);
    await setRules(owner, enforced());
    await decide(member, decision);
    expect((await accept(owner, decision)).status).toBe(200);
    expect((await suite.patch(key, decision.id, { outcome: 'success', tags: ['x'] })).status).toBe(200);
    const refused = await suite.patch(key, decision.id, { title: 'Another' });
    expect(refused).toMatchObject(required);
    expect(refused.body).toMatchObject({
      message: expect.stringContaining('to proposed in the same request'),
      issues: [{ path: 'status' }],
    });
    expect((await suite.patch(key, decision.id, { title: 'B', status: 'proposed' })).status).toBe(200);
    expect(await accept(owner, decision)).toMatchObject(required);
  });

  it('that is switched on under way holds for the next change of status', async () => {
    const { key, owner } = team();
    const before = await suite.create(key, { title: 'A', status: 'accepted' });
    await setRules(owner, enforced());
    expect((await suite.patch(key, before.id, { outcome: 'success' })).status).toBe(200);
    await suite.patch(key, before.id, { status: 'proposed' });
    expect(await accept(owner, before)).toMatchObject(required);
    await setRules(owner);
    expect((await accept(owner, before)).status).toBe(200);
  });

  it('does not count who wrote the text, removed or demoted members, objections, and imported approvals', async () => {
    const { key, owner, admin, member } = team();
    await setRules(owner, enforced({ role: 'admin' }));
    const text = await suite.create(key, { title: 'A' });
    const decision = (await suite.patch(admin, text.id, { title: 'By Jonas' })).body as Decision;
    for (const person of [admin, member]) await decide(person, decision);
    await decide(owner, decision, { verdict: 'object', reason: 'Too early' });
    expect((await standing(owner, decision)).data.map(({ counts }: { counts: boolean }) => counts)).toEqual([
      ...[false, false, false],
    ]);
    await decide(owner, decision);
    expect((await standing(owner, decision)).missing).toBeNull();
    suite.people.set(owner.user_id, { name: 'Mira', role: 'viewer' });
    expect(await accept(admin, decision)).toMatchObject(required);
    suite.people.delete(owner.user_id);
    expect(await accept(admin, decision)).toMatchObject(required);
    suite.people.set(owner.user_id, { name: 'Mira', role: 'admin' });
    const imported_by = { type: 'session', id: admin.user_id, name: 'Jonas' };
    const stored = suite.collection<{ _id: string; state: string }>('approvals');
    await stored.updateMany({ state: 'current' }, { $set: { imported_by } });
    expect(await accept(admin, decision)).toMatchObject(required);
  });

  it('lets no program accept by an import, and counts no import as the text of somebody else', async () => {
    const { key, owner, admin } = team();
    await setRules(owner, enforced());
    const by = (type: 'api_key' | 'session', id: string) => ({ imported_by: { type, id, name: null } });
    const bodyOf = (more: object) => sampleDecision({ status: 'accepted', created_by: newId(), ...more });
    const [byKey, byAdmin] = [bodyOf(by('api_key', key.key_id)), bodyOf(by('session', admin.user_id))];
    expect((await suite.import(key, [byKey, byAdmin])).status).toBe(200);
    expect((await suite.get(owner, `/decisions/${byKey.id}`)).body.status).toBe('proposed');
    expect((await suite.get(owner, `/decisions/${byAdmin.id}`)).body.status).toBe('accepted');
    const proposed = (await suite.patch(owner, byAdmin.id, { status: 'proposed' })).body as Decision;
    await decide(admin, proposed);
    expect(await accept(admin, proposed)).toMatchObject(required);
  });

  it('takes no more approvals of a decision from an import than a workspace has members', async () => {
    const { key, owner, member } = team();
    const decision = await suite.create(key);
    const first = (await decide(member, decision)).body as Approval;
    const more = Array.from({ length: 300 }, () => ({ ...first, id: newId() }));
    const send = async (approvals: Approval[]) => {
      const body = { workspace_id: key.workspace_id, portion: newId(), approvals };
      const path = '/internal/imports/approvals';
      return (await suite.call(servicePrincipal('transfer'), 'POST', path, { body })).body.stored;
    };
    const stored: number[] = [];
    for (let n = 0; n < 4; n += 1) stored.push(await send(more.map((one) => ({ ...one, id: newId() }))));
    expect(stored).toEqual([300, 300, 300, 99]);
    expect((await standing(owner, decision)).data.length).toBeGreaterThan(0);
  });

  it('does not count the person behind an API key that wrote the text', async () => {
    const { key, owner, admin } = team();
    await setRules(owner, enforced());
    const own = keyPrincipal({ workspace_id: key.workspace_id, user_id: admin.user_id });
    const decision = await suite.create(own);
    await decide(admin, decision);
    expect(await accept(admin, decision)).toMatchObject(required);
    await setRules(owner, enforced({ authorCounts: true }));
    expect((await accept(admin, decision)).status).toBe(200);
  });
});

describe('POST /decisions/{id}/approvals', () => {
  it('records a verdict with the hash of the text; a later one replaces it, a repeat changes nothing', async () => {
    const { key, member } = team();
    const decision = await suite.create(key);
    const objection = await decide(member, decision, { verdict: 'object', reason: 'Why?' });
    expect([objection.status, objection.body]).toMatchObject([
      201,
      {
        ...{
          decision_id: decision.id,
          decision_version: 1,
          verdict: 'object',
          reason: 'Why?',
          state: 'current',
        },
        ...{ content_sha256: contentSha256(decision), approver: { type: 'session', id: member.user_id } },
      },
    ]);
    for (const _ of [1, 2]) await decide(member, decision);
    await decide(member, decision, { verdict: 'abstain' });
    const { data } = await standing(member, decision);
    expect(data.map(({ verdict, state }: Record<string, string>) => [verdict, state])).toEqual([
      ...[
        ['abstain', 'current'],
        ['approve', 'replaced'],
        ['object', 'replaced'],
      ],
    ]);
    const events = await suite.eventsAbout(decision.id, [
      ...(['decision.created', 'decision.objected', 'decision.approved', 'decision.abstained'] as const),
    ]);
    expect(events.slice(1).map(({ action }) => action)).toEqual([
      ...['decision.object', 'decision.approve', 'decision.abstain'],
    ]);
    for (const { changes } of events.slice(1))
      expect(changes!['content_sha256']!.after).toBe(contentSha256(decision));
  });

  it('refuses keys, an objection without a reason, and a hash that is none', async () => {
    const { key, member } = team();
    const decision = await suite.create(key);
    const body = { verdict: 'approve', contentSha256: contentSha256(decision) };
    const path = `/decisions/${decision.id}/approvals`;
    const account = { ...key, service_account: { name: 'Agent', role: 'admin' as const } };
    for (const program of [key, account])
      expect(await suite.send(program, 'POST', path, { body })).toMatchObject({
        status: 403,
        body: { error: 'FORBIDDEN', reason: 'key_on_settings' },
      });
    expect((await decide(member, decision, { verdict: 'object' })).body.issues[0].path).toBe('reason');
    const upper = contentSha256(decision).toUpperCase();
    expect((await decide(member, decision, { contentSha256: upper })).status).toBe(400);
    expect(await suite.count(key, 'approvals')).toBe(0);
  });

  it('answers a verdict about an older text with 409 and what is different', async () => {
    const { key, member } = team();
    const read = await suite.create(key, { title: 'A', rationale: 'Because' });
    const now = (await suite.patch(key, read.id, { title: 'B' })).body as Decision;
    const { status, body } = await decide(member, read);
    expect([status, body.error]).toEqual([409, 'CONFLICT']);
    expect(body.issues).toEqual([
      { path: 'contentSha256', message: expect.stringContaining(contentSha256(now)) },
      { path: 'title', message: 'is now: "B"' },
    ]);
    const unknown = await decide(member, now, { contentSha256: '0'.repeat(64) });
    expect([unknown.status, unknown.body.issues.length]).toEqual([409, 1]);
  });

  it('is voided by a change of the text, with its event and the difference; other changes keep it', async () => {
    const { key, member, admin } = team();
    const decision = await suite.create(key);
    for (const person of [member, admin]) await decide(person, decision);
    await suite.patch(key, decision.id, { tags: ['kept'], status: 'accepted' });
    expect((await standing(member, decision)).data).toMatchObject([
      { state: 'current' },
      { state: 'current' },
    ]);
    const changed = (await suite.patch(key, decision.id, { title: 'B' })).body as Decision;
    await suite.patch(key, decision.id, { rationale: 'New' });
    const difference = {
      title: { before: 'A choice', after: 'B' },
      rationale: { before: null, after: 'New' },
    };
    expect((await standing(member, decision)).data).toMatchObject([
      ...[
        { state: 'voided', ended_at: changed.updated_at, difference },
        { state: 'voided', difference },
      ],
    ]);
    const events = await suite.eventsAbout(decision.id, [
      ...(['decision.created', 'decision.approved', 'decision.approved', 'decision.updated'] as const),
      ...(['decision.updated', 'decision.approval_voided', 'decision.approval_voided'] as const),
      'decision.updated',
    ]);
    expect(events[5]).toMatchObject({
      action: 'decision.approval_void',
      data: { state: 'voided', approver: { id: member.user_id } },
    });
  });

  it('and changes of the text at once never leave an approval of another text', async () => {
    const { key, member, admin } = team();
    for (let round = 0; round < 5; round += 1) {
      const decision = await suite.create(key);
      await Promise.all([
        decide(member, decision),
        suite.patch(key, decision.id, { title: `Round ${round}` }),
        decide(admin, decision),
        decide(member, decision, { verdict: 'abstain' }),
      ]);
      const { data, content_sha256 } = await standing(member, decision);
      const current = data.filter(({ state }: { state: string }) => state === 'current');
      for (const approval of current) expect(approval.content_sha256).toBe(content_sha256);
      const voided = suite.one.events.filter(
        ({ type, subject }) => type === 'decision.approval_voided' && subject.id === decision.id,
      );
      expect(voided.length).toBeLessThanOrEqual(data.length);
    }
  });

  it('of two people at once both stand, and of one person twice at once only one, on two replicas', async () => {
    const replica = await startDecisions({ ...suite.one.env, PORT: '0', ADMIN_PORT: '0' });
    try {
      await replica.ready;
      for (let round = 0; round < 5; round += 1) {
        const { key, owner, admin, member } = team();
        await setRules(owner, enforced({ approvals: 2, members: [admin.user_id, member.user_id] }));
        const decision = await suite.create(key);
        const input = {
          query: { workspaceId: key.workspace_id },
          body: { verdict: 'approve', contentSha256: contentSha256(decision) },
        };
        const answers = await Promise.all(
          [admin, member, member].map((person, i) =>
            suite.one.callAt(
              i === 1 ? replica.url : suite.one.url,
              ...([person, 'POST', `/decisions/${decision.id}/approvals`, input] as const),
            ),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
        const { data, missing } = await standing(owner, decision);
        expect([data.length, missing]).toEqual([2, null]);
        expect((await accept(owner, decision)).status).toBe(200);
      }
    } finally {
      await replica.stop();
    }
  });

  it('is decided again when another replica changes the text meanwhile', async () => {
    const { key, member } = team();
    const decision = await suite.create(key);
    const { database } = suite.one;
    const aborted = async () => Number((await database.admin().serverStatus())['transactions'].totalAborted);
    const before = await aborted();
    const session = database.client.startSession();
    session.startTransaction();
    const change = { $set: { title: 'B' }, $inc: { version: 1 } };
    await database
      .collection<{ _id: string }>('decisions')
      .updateOne({ _id: decision.id }, change, { session });
    const deciding = decide(member, decision);
    await Promise.race([deciding, eventually(async () => (await aborted()) > before)]);
    await session.commitTransaction();
    await session.endSession();
    expect((await deciding).status).toBe(409);
  });
});

describe('POST /decisions/{id}/approval-requests', () => {
  const ask = (by: Parameters<typeof suite.send>[0], { id }: Decision, body: object = {}) =>
    suite.send(by, 'POST', `/decisions/${id}/approval-requests`, { body });

  it('asks the given members, or those of the rule, with an event', async () => {
    const { key, owner, admin, member } = team();
    const decision = await suite.create(key);
    const asked = await ask(key, decision, { members: [member.user_id] });
    expect([asked.status, asked.body]).toMatchObject([
      201,
      { requested_of: [{ id: member.user_id, name: 'Aiko' }], content_sha256: contentSha256(decision) },
    ]);
    await setRules(owner, { approvals: 1, members: [admin.user_id] });
    await ask(key, decision);
    expect((await standing(owner, decision)).requested_of).toEqual([{ id: admin.user_id, name: 'Jonas' }]);
    const types = ['decision.created', 'decision.approval_requested', 'decision.approval_requested'] as const;
    const events = await suite.eventsAbout(decision.id, [...types]);
    expect(events[1]).toMatchObject({
      action: 'decision.approval_request',
      data: { decision, requested_of: [member.user_id], content_sha256: contentSha256(decision) },
    });
    // The record of the decision does not show it.
    expect((await suite.get(key, `/decisions/${decision.id}`)).body).toEqual(decision);
  });

  it('waits for those who have not answered about the present text', async () => {
    const { key, admin, member } = team();
    const decision = await suite.create(key);
    const waiting = async ({ user_id }: SessionPrincipal) =>
      (await suite.get(key, '/decisions', { waitingFor: user_id })).body.decisions.length;
    await decide(admin, decision);
    await ask(key, decision, { members: [member.user_id, admin.user_id] });
    expect([await waiting(member), await waiting(admin)]).toEqual([1, 0]);
    const types = ['decision.created', 'decision.approved', 'decision.approval_requested'] as const;
    const [, , asked] = await suite.eventsAbout(decision.id, [...types]);
    expect(asked!.data).toMatchObject({ requested_of: [member.user_id] });
    await decide(member, decision, { verdict: 'abstain' });
    expect(await waiting(member)).toBe(0);
    const { body: changed } = await suite.patch(key, decision.id, { rationale: 'Another text' });
    expect([await waiting(member), await waiting(admin)]).toEqual([1, 1]);
    await decide(admin, changed);
    await suite.patch(key, decision.id, { status: 'rejected' });
    expect([await waiting(member), await waiting(admin)]).toEqual([0, 0]);
  });

  it('is left open by who has left or lost the role since, which every answer says', async () => {
    const { key, owner, admin, member } = team();
    const rule = enforced({ approvals: 2, members: [admin.user_id, member.user_id] });
    await setRules(owner, rule);
    const decision = await suite.create(key);
    await ask(key, decision);
    suite.people.delete(member.user_id);
    suite.people.set(admin.user_id, { name: 'Jonas', role: 'viewer' });
    const { requested_of, missing } = await standing(owner, decision);
    expect(requested_of).toEqual([
      { id: admin.user_id, name: 'Jonas' },
      { id: member.user_id, name: null },
    ]);
    expect(missing).toEqual({ approvals: 2, role: 'member', members: [] });
    expect((await accept(owner, decision)).body.issues).toMatchObject([
      { message: expect.stringMatching(/^the rule names too few members .*change it$/) },
    ]);
    expect((await ask(key, decision)).body.issues[0].message).toContain(
      'no member that the rule names may approve',
    );
    suite.people.set(member.user_id, { name: 'Aiko', role: 'member' });
    // Two are needed, and one can.
    const refused = (await accept(owner, decision)).body;
    expect(refused.issues).toHaveLength(2);
    expect(refused.message).toMatch(/from Aiko\. The rule names too few members/);
    expect((await ask(key, decision)).body.requested_of).toEqual([{ id: member.user_id, name: 'Aiko' }]);
    // Members whom the rule no longer counts are not asked.
    await setRules(owner, { ...rule, role: 'admin' });
    expect((await ask(key, decision)).body.issues[0].message).toContain(
      'no member that the rule names may approve',
    );
  });

  it('does not ask the author of the text, whom the rule does not count', async () => {
    const { owner, admin, member } = team();
    const rule = { approvals: 1, members: [admin.user_id, member.user_id] };
    await setRules(owner, rule);
    const decision = await suite.create(member);
    const asked = async () => (await ask(owner, decision)).body.requested_of;
    expect(await asked()).toEqual([{ id: admin.user_id, name: 'Jonas' }]);
    await setRules(owner, { ...rule, authorCounts: true });
    expect(await asked()).toHaveLength(2);
    await setRules(owner, { ...rule, members: [member.user_id] });
    expect((await ask(owner, decision)).body.issues[0].message).toContain(
      'no member that the rule names may approve',
    );
  });

  it('refuses strangers, viewers, and to ask nobody', async () => {
    const { key } = team();
    const decision = await suite.create(key);
    const viewer = newId();
    suite.people.set(viewer, { name: 'Vera', role: 'viewer' });
    for (const members of [[viewer], [newId()]])
      expect((await ask(key, decision, { members })).body.issues[0].path).toBe('members.0');
    expect((await ask(key, decision)).body.issues[0].path).toBe('members');
  });
});
