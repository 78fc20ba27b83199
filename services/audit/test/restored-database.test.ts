import { afterAll, describe, expect, it } from '@jest/globals';
import { backUp, eventually } from '@waymark/testing';
import { openAuditOperator } from '../src/operator.ts';
import { auditStack, metricsAt } from './audit-stack.ts';

const audit = await auditStack();
const { verify } = audit;
const operator = await openAuditOperator(audit.one.env);
afterAll(() => operator.close());

const COLLECTIONS = ['entries', 'heads', 'checkpoints', 'segments', 'stopped_chains', 'held_events'];

describe('an audit database that was restored to an older state', () => {
  it('is older than the event stream; a refill and a resumption bring back the events', async () => {
    const [long, short] = [await audit.newChain(4), await audit.newChain(3)];
    const restore = await backUp(audit.one.database, COLLECTIONS);
    const lost = [await audit.extend(long, 5, 9), await audit.extend(short, 5, 8)];
    const young = await audit.newChain(2);
    await restore();
    const untouched = await audit.newChain(2);
    const chains = [long, short, young];
    const reason = expect.stringContaining('older than the event stream');
    await audit.besideReplica(async (second) => {
      await eventually(async () => {
        for (const chain of chains) expect((await verify(chain)).stopped).not.toBeNull();
      });
      for (const [i, seq] of [5, 4, 1].entries())
        expect(await verify(chains[i]!)).toMatchObject({ valid: false, fault: { seq, reason } });
      expect(await metricsAt(second)).toMatch(/waymark_audit_stopped_chains\{reason="older",.*\} 2\n/);

      await operator.readStreamAgain();
      await eventually(async () => {
        for (const [i, held_events] of [5, 5, 2].entries())
          expect(await verify(chains[i]!)).toMatchObject({ stopped: { held_events } });
      });
      for await (const id of operator.stopped()) await operator.resume(id);
      expect(await Promise.all(chains.map(verify))).toMatchObject([
        { valid: true, entries: 9, stopped: null, segments: [{ after_seq: 4, until_seq: 9 }] },
        { valid: true, entries: 8, stopped: null, segments: [{ after_seq: 3, until_seq: 8 }] },
        { valid: true, entries: 2, stopped: null, segments: [{ after_seq: 0, until_seq: 2 }] },
      ]);
      expect(await verify(untouched)).toMatchObject({ valid: true, segments: [] });
    });
    const ids = await audit.collection('entries').distinct('_id');
    const all = [...chains, untouched].flatMap(({ events }) => events).concat(...lost);
    expect(new Set(ids)).toEqual(new Set(all.map(({ id }) => id)));
  });
});
