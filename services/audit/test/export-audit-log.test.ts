import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyPrincipal } from '@waymark/testing';
import { linesOf } from '../src/verification/lines.ts';
import { verifyExport } from '../src/verification/verify-export.ts';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { sampleEvents } from './sample-event.ts';

let audit: AuditStack;
beforeAll(async () => {
  audit = await startAuditStack();
});
afterAll(() => audit.stop());

async function* chunks(text: string) {
  for (let i = 0; i < text.length; i += 1_000) yield text.slice(i, i + 1_000);
}

describe('GET /audit-log/export', () => {
  it('streams the chain, oldest first, and verifies offline', async () => {
    const events = sampleEvents(1_200);
    await audit.publish(events);
    await audit.arrived(events);
    const reader = audit.reader(events);
    const workspaceId = events[0]!.workspace_id!;
    const query = { workspaceId };
    const answer = await audit.call(reader, 'GET', '/audit-log/export', { query });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(answer.headers['content-disposition']).toContain('.ndjson');

    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const end = lines.pop();
    expect(lines.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(end.head).toMatchObject({ chain: workspaceId, seq: 1_200, hash: lines.at(-1).hash });
    const { body } = await audit.call(reader, 'GET', '/audit-log/verify', { query });
    expect(end.public_key).toBe(body.public_key);
    const found = await verifyExport(linesOf(chunks(answer.text)), { publicKey: body.public_key });
    expect(found).toMatchObject({ valid: true, entries: 1_200, withheld: 0, fault: null });
  });

  it('adds one audit entry after the exported entries', async () => {
    const events = sampleEvents(3);
    await audit.publish(events);
    await audit.arrived(events);
    const reader = audit.reader(events);
    const workspaceId = events[0]!.workspace_id!;
    const query = { workspaceId };
    const { text } = await audit.call(reader, 'GET', '/audit-log/export', {
      query,
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
    const exported = audit.events.filter((event) => event.workspace_id === query.workspaceId).at(-1);
    expect(exported).toMatchObject({ type: 'audit_log.exported', id: entries[3]._id });
  });

  it('of a workspace without entries has a head of null', async () => {
    const reader = keyPrincipal();
    const query = { workspaceId: reader.workspace_id };
    const { text } = await audit.call(reader, 'GET', '/audit-log/export', { query });
    expect(JSON.parse(text)).toEqual({ head: null, public_key: expect.any(String) });
  });
});
