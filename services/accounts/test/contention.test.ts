import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { internalHeaders } from '@waymark/contracts';
import { type Accounts, startForTest } from './accounts.ts';

let accounts: Accounts;
beforeAll(async () => {
  accounts = await startForTest();
});
afterAll(() => accounts.stop());

describe('a change whose workspace another transaction holds', () => {
  it('answers 503 at its deadline and changes nothing, and succeeds once the other has ended', async () => {
    const owner = await accounts.signUp('Ada');
    const path = `/workspaces/${owner.workspaceId}`;
    const workspaces = accounts.database.collection<{ _id: string }>('workspaces');
    const session = accounts.database.client.startSession();
    session.startTransaction();
    try {
      await workspaces.updateOne({ _id: owner.workspaceId }, { $inc: { revision: 1 } }, { session });
      const headers = { [internalHeaders.timeoutMs]: '1000' };
      const answer = await owner.call('PATCH', path, { body: { name: 'Late' }, headers });
      expect([answer.status, answer.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
    expect((await owner.call('GET', path)).body.name).toBe("Ada's workspace");
    expect((await owner.call('PATCH', path, { body: { name: 'In time' } })).status).toBe(200);
  });
});
