import { describe, expect, it } from '@jest/globals';
import { eventually, keyPrincipal } from '@waymark/testing';
import { auditStack, readerOf, verifyText } from './audit-stack.ts';

const audit = await auditStack();

describe('GET /audit-log/export', () => {
  it('streams the chain, oldest first, and verifies offline', async () => {
    // More than MongoDB returns at first.
    const chain = await audit.newChain(300);
    const answer = await audit.get(chain, '/audit-log/export');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(answer.headers['content-disposition']).toContain('.ndjson');

    const lines = answer.text.trimEnd().split('\n');
    const end = JSON.parse(lines.pop()!);
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries.map(({ seq }) => seq)).toEqual(chain.events.map((_, i) => i + 1));
    expect(end.head).toMatchObject({ chain: chain.id, seq: 300, hash: entries.at(-1).hash });
    const { public_key: publicKey } = await audit.verify(chain);
    expect(end.public_key).toBe(publicKey);
    const found = await verifyText(answer.text, { publicKey });
    expect(found).toMatchObject({ valid: true, entries: 300, withheld: 0, fault: null });
  });

  it('adds one audit entry after the exported entries', async () => {
    const { id: workspaceId, events } = await audit.newChain(3);
    const reader = readerOf(events);
    const { text } = await audit.call(reader, 'GET', '/audit-log/export', {
      query: { workspaceId },
      headers: { 'x-waymark-request-id': 'export-request-1' },
    });
    expect(text.trimEnd().split('\n')).toHaveLength(4);
    const entries = await audit.arrived(events, 4);
    expect(entries).toHaveLength(4);
    expect(entries[3]).toMatchObject({
      seq: 4,
      action: 'audit_log.export',
      resource_type: 'audit_log',
      resource_id: workspaceId,
      actor: { type: 'session', id: reader.user_id },
      request_id: 'export-request-1',
    });
    const exported = () => audit.one.events.find(({ id }) => id === entries[3]._id);
    await eventually(() => expect(exported()?.type).toBe('audit_log.exported'));
  });

  it('of a workspace without entries has a head of null', async () => {
    const reader = keyPrincipal();
    const query = { workspaceId: reader.workspace_id };
    const { text } = await audit.call(reader, 'GET', '/audit-log/export', { query });
    expect(JSON.parse(text)).toEqual({ head: null, public_key: expect.any(String) });
  });
});
