import { describe, expect, it } from '@jest/globals';
import { eventually, streamOf } from '@waymark/testing';
import { startStand } from './stand.ts';

const env = { LIMIT_SCALE: '1000' };
/** A stopped clock: cached entries do not expire, so that only an announcement removes them. */
const stoppedAt = Date.now();
const seams = { now: () => stoppedAt };

describe('a revoked key', () => {
  it('is refused by every gateway that had it cached', async () => {
    const stand = await startStand({ gateways: 2, env, seams });
    try {
      for (let round = 0; round < 20; round += 1) {
        const key = stand.accounts.createKey();
        const ask = () =>
          Promise.all(
            stand.gateways.map(
              async (gateway) => (await stand.callAt(gateway, 'GET', '/whoami', key)).status,
            ),
          );
        expect(await ask()).toEqual([200, 200]);
        await stand.accounts.revoke(key);
        await eventually(async () => expect(await ask()).toEqual([401, 401]));
        expect(await ask()).toEqual([401, 401]);
      }
    } finally {
      await stand.stop();
    }
  });

  it.each([
    'no JSON',
    '{"instance":"a","sequence":1,"tags":null}',
    '{"instance":"a","sequence":1,"tags":{"key":"b"}}',
  ])('is refused although the gateway has received an unreadable message before: %s', async (nonsense) => {
    const stand = await startStand({ env, seams });
    try {
      const key = stand.accounts.createKey();
      const ask = async () => (await stand.call('GET', '/whoami', key)).status;
      expect(await ask()).toBe(200);
      const before = stand.accounts.lookUps();
      stand.accounts.runtime.nats.connection()!.publish(streamOf(stand.env).invalidations, nonsense);
      // The message may have been an announcement, so the gateway drops everything that it has cached.
      await eventually(async () => (await ask()) === 200 && stand.accounts.lookUps() > before);
      await stand.accounts.revoke(key);
      await eventually(async () => (await ask()) === 401);
    } finally {
      await stand.stop();
    }
  });

  it('is refused even if its look-up began before the revocation and was answered after it', async () => {
    const stand = await startStand({ env, seams });
    try {
      const warm = stand.accounts.createKey();
      expect((await stand.call('GET', '/whoami', warm)).status).toBe(200);
      const key = stand.accounts.createKey();
      const release = stand.accounts.hold(key);
      const before = stand.accounts.lookUps();
      const answer = stand.call('GET', '/whoami', key);
      await eventually(() => stand.accounts.lookUps() > before);
      await stand.accounts.revoke(key);
      // The gateway must receive the announcement before the old answer. A later announcement about another
      // key shows that it has.
      await stand.accounts.revoke(warm);
      await eventually(async () => (await stand.call('GET', '/whoami', warm)).status === 401);
      release();
      expect((await answer).status).toBe(401);
    } finally {
      await stand.stop();
    }
  });
});
