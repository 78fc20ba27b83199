import { describe, expect, it } from '@jest/globals';
import { type AuditEntry, type EventEnvelope, newId, operations, type Principal } from '@waymark/contracts';
import { accessIn, checkCaller, membershipIn } from '@waymark/service-kit/http';
import { keyPrincipal, sessionPrincipal } from '@waymark/testing';
import { erasePersonFromAudit } from '../src/operator.ts';
import { auditStack, verifyText } from './audit-stack.ts';
import { sampleEvent } from './sample-event.ts';

const audit = await auditStack();
const workspaceId = newId();
const query = { workspaceId };
const change = (after: unknown) => ({ before: null, after });
const event = (about: Partial<EventEnvelope>) => sampleEvent({ workspace_id: workspaceId, ...about });
const member = { type: 'member', id: newId(), version: 1 };
const events = [
  event({}),
  event({
    action: 'invitation.accept',
    subject: member,
    changes: { user_id: change(newId()), email: change('grace@example.com'), role: change('viewer') },
  }),
  event({
    action: 'api_key.create',
    subject: { type: 'api_key', id: newId(), version: 1 },
    changes: { allowed_ips: change(['198.51.100.4']) },
  }),
  event({ action: 'member.update', subject: member, ip: null, user_agent: null, changes: null }),
  event({ actor: { type: 'session', id: newId(), name: 'Erased', key_prefix: null } }),
];
const ADDRESSES = ['grace@example.com', '203.0.113.7', '198.51.100.4', 'curl/8.9'];

for (const [i, one] of events.entries()) {
  await audit.publish([one]);
  await audit.arrived(events, i + 1);
}
const userId = events[4]!.actor.id!;
await erasePersonFromAudit(audit.one.database, audit.one.env, { userId, emails: [userId] });

const callers: [string, Principal][] = [
  ['a key that reads', keyPrincipal({ workspace_id: workspaceId, scopes: ['read'] })],
  ['a key that writes', keyPrincipal({ workspace_id: workspaceId })],
  ['a viewer', sessionPrincipal({ workspaceId, role: 'viewer' })],
  ['a member', sessionPrincipal({ workspaceId, role: 'member' })],
  ['an admin', sessionPrincipal({ workspaceId, role: 'admin' })],
  ['the owner', sessionPrincipal({ workspaceId, role: 'owner' })],
];

function mayListMembers(principal: Principal): boolean {
  try {
    checkCaller(operations.listMembers, principal);
    accessIn(operations.listMembers, principal, workspaceId, membershipIn(principal, workspaceId));
    return true;
  } catch {
    return false;
  }
}

/** Returns the first entries of the chain, oldest first, and the text that contains them. */
const forms = {
  '/audit-log': async (principal: Principal) => {
    const { body, text } = await audit.call(principal, 'GET', '/audit-log', { query });
    return { entries: body.data.reverse().slice(0, events.length) as AuditEntry[], text };
  },
  '/audit-log/export': async (principal: Principal) => {
    const { text } = await audit.call(principal, 'GET', '/audit-log/export', { query });
    const entries = text.split('\n', events.length).map((line) => JSON.parse(line) as AuditEntry);
    return { entries, text };
  },
};

describe.each(Object.entries(forms))('GET %s', (_, read) => {
  it.each(callers.filter(([, principal]) => mayListMembers(principal)))(
    'gives %s, who may list the members, whole entries',
    async (_name, principal) => {
      const { entries, text } = await read(principal);
      for (const address of ADDRESSES) expect(text).toContain(address);
      expect(entries[1]).toMatchObject({ changes: events[1]!.changes, ip: '203.0.113.7' });
      expect(text).not.toContain('withheld');
    },
  );

  it.each(callers.filter(([, principal]) => !mayListMembers(principal)))(
    'withholds addresses and settings from %s, and says so',
    async (_name, principal) => {
      const { entries, text } = await read(principal);
      for (const address of ADDRESSES) expect(text).not.toContain(address);
      const nothing = { ip: null, user_agent: null, details_salt: null };
      const addresses = ['ip', 'user_agent', 'details_salt'];
      expect(entries[0]).toMatchObject({
        ...nothing,
        actor: events[0]!.actor,
        changes: events[0]!.changes,
        withheld: addresses,
      });
      for (const entry of entries.slice(1, 3))
        expect(entry).toMatchObject({ ...nothing, changes: null, withheld: ['changes', ...addresses] });
    },
  );

  it('marks nothing as withheld where nothing is: without addresses, or erased', async () => {
    const { entries } = await read(keyPrincipal({ workspace_id: workspaceId }));
    expect(entries[3]).not.toHaveProperty('withheld');
    expect(entries[3]!.details_salt).toMatch(/^[\w-]{22}$/);
    expect(entries[4]).not.toHaveProperty('withheld');
    expect(entries[4]).toMatchObject({ details_salt: null, erasure: expect.anything() });
  });
});

describe.each(callers)('for %s', (_, principal) => {
  it('the chain is valid, in the service and offline', async () => {
    const { body } = await audit.call(principal, 'GET', '/audit-log/verify', { query });
    expect(body).toMatchObject({ valid: true, erased: 1 });
    const { text } = await forms['/audit-log/export'](principal);
    const found = await verifyText(text, { publicKey: body.public_key });
    const lines = text.split('\n').filter((line) => line.includes('"seq"'));
    const withheld = lines.filter((line) => line.includes('"withheld"')).length;
    expect(found).toMatchObject({ valid: true, fault: null, erased: 1, withheld });
    expect(withheld > 0).toBe(!mayListMembers(principal));
  });
});
