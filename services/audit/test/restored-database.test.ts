import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backUp, eventually, keyPrincipal } from '@waymark/testing';
import { type AuditOperator, openAuditOperator } from '../src/operator.ts';
import { startAudit } from '../src/service.ts';
import { type AuditStack, startAuditStack } from './audit-stack.ts';
import { sampleEvents } from './sample-event.ts';

let audit: AuditStack;
let operator: AuditOperator;
beforeAll(async () => {
  audit = await startAuditStack();
  operator = await openAuditOperator(audit.env);
});
afterAll(async () => {
  await operator.close();
  await audit.stop();
});

const COLLECTIONS = ['entries', 'heads', 'checkpoints', 'segments', 'stopped_chains', 'held_events'];

async function verify(workspaceId: string) {
  const reader = keyPrincipal({ workspace_id: workspaceId });
  return (await audit.call(reader, 'GET', '/audit-log/verify', { query: { workspaceId } })).body;
}

describe('an audit database that was restored to an older state', () => {
  it('is older than the event stream; a refill and a resumption bring back the events', async () => {
    const chains = [sampleEvents(4), sampleEvents(3)];
    for (const events of chains) {
      await audit.publish(events);
      await audit.arrived(events);
    }
    const restore = await backUp(audit.database, COLLECTIONS);
    const lost = chains.map((events) => sampleEvents(5, { workspace_id: events[0]!.workspace_id }));
    const young = sampleEvents(2);
    const untouched = sampleEvents(2);
    await audit.publish([...lost.flat(), ...young]);
    await audit.arrived(chains[0]!, 9);
    await audit.arrived(chains[1]!, 8);
    await audit.arrived(young);
    await restore();
    await audit.publish(untouched);
    await audit.arrived(untouched);

    const second = await startAudit(audit.env);
    try {
      const ids = [...chains, young].map((events) => events[0]!.workspace_id!);
      await eventually(async () => {
        for (const id of ids) expect((await verify(id)).stopped).not.toBeNull();
      });
      for (const [id, seq] of [
        [ids[0]!, 5],
        [ids[1]!, 4],
        [ids[2]!, 1],
      ] as const) {
        const reason = expect.stringContaining('older than the event stream');
        expect(await verify(id)).toMatchObject({ valid: false, fault: { seq, reason } });
      }
      const metrics = await (await fetch(`http://127.0.0.1:${second.adminPort}/metrics`)).text();
      expect(metrics).toMatch(/waymark_audit_stopped_chains\{reason="older",.*\} 2\n/);

      await operator.readStreamAgain();
      await eventually(async () => {
        expect((await verify(ids[0]!)).stopped.held_events).toBe(5);
        expect((await verify(ids[1]!)).stopped.held_events).toBe(5);
        expect((await verify(ids[2]!)).stopped.held_events).toBe(2);
      });
      for await (const id of operator.stopped()) await operator.resume(id);
      const found = await Promise.all(ids.map(verify));
      expect(found).toMatchObject([
        { valid: true, entries: 9, stopped: null, segments: [{ after_seq: 4, until_seq: 9 }] },
        { valid: true, entries: 8, stopped: null, segments: [{ after_seq: 3, until_seq: 8 }] },
        { valid: true, entries: 2, stopped: null, segments: [{ after_seq: 0, until_seq: 2 }] },
      ]);
      expect(await verify(untouched[0]!.workspace_id!)).toMatchObject({ valid: true, segments: [] });
    } finally {
      await second.stop();
    }
    const ids = await audit.database.collection<{ _id: string }>('entries').distinct('_id');
    const all = [...chains.flat(), ...lost.flat(), ...young, ...untouched].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(all));
  });
});
